import postgres from "postgres";
import type { Row } from "../../src/shared/moving-in/row-source.ts";
import { StartError } from "../launch/start-error.ts";
import type { OpenSource } from "./open-source.ts";

/** Rows that one fetch brings. */
const pageLength = 50;

/**
 * Opens a Postgres database for reading: one read-only snapshot, which sees nothing that is written meanwhile.
 * @throws StartError
 */
export async function openPostgres(url: string): Promise<OpenSource> {
  const client = postgres(url, {
    max: 1,
    onnotice: () => undefined,
    connect_timeout: 10,
    idle_timeout: 0,
    max_lifetime: null,
    // Dates stay text, as SQLite has them.
    types: { date: { to: 1082, from: [1082], serialize: String, parse: String } },
  });
  const ask = (query: string, values: readonly (string | readonly string[])[] = []) =>
    client.unsafe<Row[]>(query, values as never[]);
  try {
    await ask("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
  } catch (error) {
    await client.end({ timeout: 1 }).catch(() => undefined);
    throw new StartError(`The database cannot be read (${(error as Error).message}).`, "unavailable");
  }
  const columns = async (table: string) =>
    new Set(
      (
        await ask(
          "SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND table_schema = ANY (current_schemas(false))",
          [table],
        )
      ).map((row) => row["column_name"] as string),
    );
  const isThere = async (table: string) => (await columns(table)).size > 0;
  let cursors = 0;
  return {
    columns,
    // A cursor of SQL, so that other questions can be asked between its pages.
    async *rows(table, by = "id") {
      if (!(await isThere(table))) return;
      const cursor = `parley_${(cursors += 1)}`;
      await ask(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT * FROM ${quote(table)} ORDER BY ${quote(by)}`);
      for (;;) {
        const page = await ask(`FETCH ${pageLength} FROM ${cursor}`);
        yield* page;
        if (page.length < pageLength) break;
      }
      await ask(`CLOSE ${cursor}`);
    },
    async rowsOf(table, column, values, by = "id") {
      if (values.length === 0 || !(await isThere(table))) return [];
      return ask(`SELECT * FROM ${quote(table)} WHERE ${quote(column)} = ANY ($1) ORDER BY ${quote(by)}`, [values]);
    },
    async count(table) {
      if (!(await isThere(table))) return 0;
      const [row] = await ask(`SELECT count(*) AS n FROM ${quote(table)}`);
      return Number(row!["n"]);
    },
    close: () => client.end({ timeout: 5 }),
  };
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
