import initSqlJs, { type Database, type Statement } from "sql.js/dist/sql-asm-memory-growth.js";
import type { Row, RowSource } from "../../../../shared/moving-in/row-source.ts";

/** Where a SQLite file says how it is written. 2 means with a write-ahead log, which a page in the browser does not have. */
const journalBytes = [18, 19];
const rollbackJournal = 1;

/** A database in the memory of this page. */
export interface OpenDatabase extends RowSource {
  close(): void;
}

/** @throws for what is no SQLite database */
export async function openDatabase(file: Blob): Promise<OpenDatabase> {
  // Not WebAssembly: the page's security policy allows none.
  const { Database: SqliteDatabase } = await initSqlJs();
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (const place of journalBytes) bytes[place] = rollbackJournal;
  const database = new SqliteDatabase(bytes);
  database.exec("SELECT count(*) FROM sqlite_schema");
  return { ...readTables(database), close: () => database.close() };
}

function readTables(database: Database): RowSource {
  const columns = (table: string): Set<string> => {
    const statement = database.prepare("SELECT name FROM pragma_table_info(?)", [table]);
    return new Set([...steps(statement)].map((row) => row["name"] as string));
  };
  const isThere = (table: string): boolean => columns(table).size > 0;
  return {
    columns: async (table) => columns(table),
    async *rows(table, by = "id") {
      if (!isThere(table)) return;
      yield* steps(database.prepare(`SELECT * FROM ${quote(table)} ORDER BY ${quote(by)}`));
    },
    async rowsOf(table, column, values, by = "id") {
      if (!isThere(table) || values.length === 0) return [];
      const rest = `WHERE ${quote(column)} IN (SELECT value FROM json_each(?)) ORDER BY ${quote(by)}`;
      return [...steps(database.prepare(`SELECT * FROM ${quote(table)} ${rest}`, [JSON.stringify(values)]))];
    },
    async count(table) {
      if (!isThere(table)) return 0;
      const [row] = steps(database.prepare(`SELECT count(*) AS n FROM ${quote(table)}`));
      return Number(row!["n"]);
    },
  };
}

function* steps(statement: Statement): Generator<Row> {
  try {
    while (statement.step()) yield statement.getAsObject();
  } finally {
    statement.free();
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
