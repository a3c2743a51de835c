import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { packedTypes } from "../../src/http/packed-types.ts";

/** What workers/machine/main.ts knows of the built UI. */
export interface UiFiles {
  /** By their path from the root of the UI, with a slash in front. */
  files: Record<string, { etag: string; type: string | null }>;
  headers: HeaderRule[];
}

/** A rule of `_headers`. */
interface HeaderRule {
  /** A path; `*` at its end stands for anything. */
  path: string;
  /** In lower case, like those of `set`. */
  unset: string[];
  set: [name: string, value: string][];
}

const rulesFile = "_headers";

const types: ReadonlyMap<string, string> = new Map([
  ...packedTypes,
  [".html", "text/html; charset=utf-8"],
  [".webmanifest", "application/manifest+json"],
  [".png", "image/png"],
  [".woff", "font/woff"],
  [".woff2", "font/woff2"],
  [".ttf", "font/ttf"],
  [".pfb", "application/x-font-type1"],
]);

/** What the bundler has named after its content, which then need not be read at every start: most of the UI's 28 MB. */
const namedByContent = /^assets\/.+-[\w-]{8}\.[a-z0-9]+(?:\.br)?$/;

/** @param folder of the built UI */
export function readUiFiles(folder: string): UiFiles {
  const files: UiFiles["files"] = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).replaceAll(path.sep, "/");
    if (name === rulesFile) continue;
    const content = namedByContent.test(name) ? name : readFileSync(file);
    const etag = createHash("sha256").update(content).digest("hex").slice(0, 32);
    files[`/${name}`] = { etag, type: types.get(path.extname(name)) ?? null };
  }
  const rules = path.join(folder, rulesFile);
  // Under `npm run dev` there are no files.
  return { files, headers: existsSync(rules) ? readHeaderRules(readFileSync(rules, "utf8")) : [] };
}

/** Reads a `_headers` file as the edge does: paths at the beginning of lines, below each its headers, `!` before what is removed. */
export function readHeaderRules(text: string): HeaderRule[] {
  const rules: HeaderRule[] = [];
  for (const line of text.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("#"))) {
    const said = line.trim();
    const rule = rules.at(-1);
    if (!/^\s/.test(line)) rules.push({ path: said, unset: [], set: [] });
    else if (said.startsWith("!")) rule?.unset.push(said.slice(1).trim().toLowerCase());
    else {
      const colon = said.indexOf(":");
      rule?.set.push([said.slice(0, colon).trim().toLowerCase(), said.slice(colon + 1).trim()]);
    }
  }
  return rules;
}
