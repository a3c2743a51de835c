import { constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Row } from "../../src/shared/moving-in/row-source.ts";
import { StartError } from "../launch/start-error.ts";
import type { OpenSource } from "./open-source.ts";

const maxCopies = 5;

/**
 * Opens a copy of a SQLite database with its write-ahead log: the database itself is only read, and may be in use.
 * @throws StartError
 */
export function openSqlite(file: string): OpenSource {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-import-"));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, "source.db");
    copyDatabase(file, copy);
    const database = openCopy(file, copy);
    return { ...readTables(database), close: async () => (database.close(), close()) };
  } catch (error) {
    close();
    throw error;
  }
}

/** Copies again if the database was written to meanwhile. What is only in the log does no harm: its last transaction is whole or left out. */
function copyDatabase(file: string, copy: string): void {
  for (let attempt = 1; ; attempt += 1) {
    const before = statSync(file);
    copyFileSync(file, copy, constants.COPYFILE_FICLONE);
    rmSync(`${copy}-wal`, { force: true });
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE);
    const after = statSync(file);
    if (before.mtimeMs === after.mtimeMs && before.size === after.size) return;
    if (attempt === maxCopies)
      throw new StartError(`${file} changes all the time. Stop Open WebUI, and try again.`, "tryAgain");
  }
}

function openCopy(file: string, copy: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(copy, { enableForeignKeyConstraints: false });
    // The first read: it takes in the log, and fails for what is no database.
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return database;
  } catch (error) {
    database?.close();
    throw new StartError(`${file} is not a SQLite database that can be read (${(error as Error).message}).`, "data");
  }
}

function readTables(database: DatabaseSync): Omit<OpenSource, "close"> {
  const columns = (table: string) =>
    new Set(
      database
        .prepare("SELECT name FROM pragma_table_info(?)")
        .all(table)
        .map(({ name }) => name as string),
    );
  const select = (table: string, rest: string) => {
    const statement = database.prepare(`SELECT * FROM ${quote(table)} ${rest}`);
    // Times in nanoseconds are larger than a JavaScript number may be exact.
    statement.setReadBigInts(true);
    return statement;
  };
  const isThere = (table: string) => columns(table).size > 0;
  return {
    columns: async (table) => columns(table),
    async *rows(table, by = "id") {
      if (isThere(table)) for (const row of select(table, `ORDER BY ${quote(by)}`).iterate()) yield plain(row);
    },
    async rowsOf(table, column, values, by = "id") {
      if (!isThere(table) || values.length === 0) return [];
      const statement = select(
        table,
        `WHERE ${quote(column)} IN (SELECT value FROM json_each(?)) ORDER BY ${quote(by)}`,
      );
      return statement.all(JSON.stringify(values)).map(plain);
    },
    async count(table) {
      return isThere(table) ? Number(database.prepare(`SELECT count(*) AS n FROM ${quote(table)}`).get()!["n"]) : 0;
    },
  };
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

function plain(row: Record<string, unknown>): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
  );
}
