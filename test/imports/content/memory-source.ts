import type { Reading, Row, RowSource, Uploads } from "../../../src/shared/moving-in/row-source.ts";
import { placeText } from "../open-webui/rows-source.ts";

/** Tables in memory, as a database that is read. */
export function memorySource(tables: Readonly<Record<string, readonly Row[]>>): RowSource {
  const rowsOf = (table: string) => tables[table] ?? [];
  const sorted = (rows: readonly Row[], by = "id") =>
    rows.toSorted((a, b) => {
      const [one, other] = [placeText(a[by]), placeText(b[by])];
      return one < other ? -1 : one > other ? 1 : 0;
    });
  return {
    columns: async (table) => new Set(rowsOf(table).flatMap((row) => Object.keys(row))),
    async *rows(table, by) {
      yield* sorted(rowsOf(table), by);
    },
    rowsOf: async (table, column, values, by) =>
      sorted(rowsOf(table), by).filter((row) => typeof row[column] === "string" && values.includes(row[column])),
    count: async (table) => rowsOf(table).length,
  };
}

export function memoryUploads(files: Readonly<Record<string, string>> = {}): Uploads & { opened: string[] } {
  const opened: string[] = [];
  return {
    opened,
    async open(path) {
      opened.push(path);
      const text = Object.hasOwn(files, path) ? files[path] : undefined;
      if (text === undefined) return undefined;
      return { size: Buffer.byteLength(text), body: new Blob([text]).stream() };
    },
  };
}

export const memoryReading = (
  tables: Readonly<Record<string, readonly Row[]>>,
  files?: Readonly<Record<string, string>>,
): Reading => ({ source: memorySource(tables), uploads: memoryUploads(files) });
