import { textOf } from "./read-values.ts";
import type { Row, RowSource } from "./row-source.ts";

const pageLength = 100;

/** The rows with these ids in that order, a few at a time. */
export async function* rowsInOrder(source: RowSource, table: string, ids: readonly string[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < ids.length; at += pageLength) {
    const page = ids.slice(at, at + pageLength);
    const found = new Map((await source.rowsOf(table, "id", page, "id")).map((row) => [textOf(row, "id"), row]));
    yield page.map((id) => found.get(id)).filter((row) => row !== undefined);
  }
}

/** Whether there is the table. */
export async function hasTable(source: RowSource, table: string): Promise<boolean> {
  return (await source.columns(table)).size > 0;
}
