import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

export interface Migration {
  /** File name without ".sql", such as "0003_add_files". */
  name: string;
  /** SHA-256 of the file, hexadecimal. */
  checksum: string;
  statements: string[];
}

/** Reads the migrations of a folder in the order of drizzle-kit's journal. */
export function readMigrations(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(path.join(folder, "meta/_journal.json"), "utf8")) as {
    entries: { idx: number; tag: string }[];
  };
  return journal.entries
    .toSorted((a, b) => a.idx - b.idx)
    .map(({ tag }) => {
      const text = readFileSync(path.join(folder, `${tag}.sql`), "utf8");
      const statements = text.split("--> statement-breakpoint").map((statement) => statement.trim());
      return {
        name: tag,
        checksum: createHash("sha256").update(text).digest("hex"),
        statements: statements.filter(saysSomething),
      };
    });
}

/** SQLite takes a statement of nothing but comments for an error. */
function saysSomething(statement: string): boolean {
  return statement.replaceAll(/^\s*--.*$/gm, "").trim() !== "";
}
