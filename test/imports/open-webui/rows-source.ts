import type { Reader, Reading, Row, RowSource, Translated } from "../../../src/shared/moving-in/row-source.ts";

/** What rows are sorted by. Not every object can be text. */
export function placeText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** A database of rows; the columns of a table are those of its first row. */
export function rowsSource(tables: Record<string, Row[]>): RowSource {
  const place = (row: Row, by: string) => placeText(row[by]);
  const sorted = (table: string, by: string) =>
    (tables[table] ?? []).toSorted((one, other) => (place(one, by) < place(other, by) ? -1 : 1));
  return {
    columns: async (table) => new Set(Object.keys(tables[table]?.[0] ?? {})),
    async *rows(table, by = "id") {
      yield* sorted(table, by);
    },
    rowsOf: async (table, column, values, by = "id") =>
      sorted(table, by).filter((row) => values.includes(row[column] as string)),
    count: async (table) => tables[table]?.length ?? 0,
  };
}

/** What a reader makes of the rows. */
export async function translate(reader: Reader, tables: Record<string, Row[]>, secret?: string) {
  const reading: Reading = {
    source: rowsSource(tables),
    uploads: { open: () => Promise.resolve(undefined) },
    ...(secret === undefined ? {} : { secret }),
  };
  const all: Translated[] = [];
  for await (const each of reader.read(reading)) all.push(each);
  return {
    records: all.flatMap((each) => ("record" in each ? [each.record] : [])),
    leftOut: all.flatMap((each) => ("leftOut" in each ? [each.leftOut] : [])),
  };
}
