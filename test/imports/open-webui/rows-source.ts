import type { Reader, Reading, Row, RowSource, Translated } from "../../../src/shared/moving-in/row-source.ts";

/** A database of rows; the columns of a table are those of its first row. */
export function rowsSource(tables: Record<string, Row[]>): RowSource {
  const sorted = (table: string, by: string) =>
    (tables[table] ?? []).toSorted((one, other) => (String(one[by]) < String(other[by]) ? -1 : 1));
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
