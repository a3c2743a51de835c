import { readdirSync } from "node:fs";
import path from "node:path";
import { readText, root } from "./read-blocks.ts";

/** Of the system and of tools that the scripts start; nothing that is set for Parley. */
const notOurs = new Set(["PATH", "npm_lifecycle_event", "NODE_COMPILE_CACHE"]);

/** Variables that the launcher, the tools and the Worker read besides the settings. */
export function environmentVariables(): string[] {
  const files = ["scripts", "workers", "monitor"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:ts|mjs|sh)$/.test(file) && !file.startsWith("bench"))
      .map((file) => `${folder}/${file}`),
  );
  const read = [...files, "vite.config.ts"].flatMap((file) =>
    [...readText(file).matchAll(/(?:(?:process\.env|\benv)\["|\$\{?(?=PARLEY_))(\w+)/g)].map((match) => match[1]!),
  );
  const bindings = [...readText("workers/env.ts").matchAll(/^ {2}([A-Z_]+)\??: string;$/gm)].map((match) => match[1]!);
  return [...new Set([...read, ...bindings])].filter((name) => !notOurs.has(name) && !name.startsWith("MINIFLARE_"));
}
