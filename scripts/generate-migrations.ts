import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";

/**
 * `npm run migrations:generate -- --name add-groups`: writes the SQL that takes the last migration's schema to what
 * src/**\/tables.ts says now. `--custom` makes an empty one, for what tables.ts cannot express (FTS5, triggers).
 */
const drizzleKit = path.join(path.dirname(createRequire(import.meta.url).resolve("drizzle-kit")), "bin.cjs");
const result = spawnSync(process.execPath, [drizzleKit, "generate", ...process.argv.slice(2)], { stdio: "inherit" });

// drizzle-kit leaves a space at line ends and no newline at the end; diffs and checksums like neither.
for (const name of readdirSync("migrations").filter((file) => file.endsWith(".sql"))) {
  const file = path.join("migrations", name);
  const text = readFileSync(file, "utf8");
  const tidy = `${text.replaceAll(/[ \t]+$/gm, "").trimEnd()}\n`;
  if (tidy !== text) writeFileSync(file, tidy);
}
process.exit(result.status ?? 1);
