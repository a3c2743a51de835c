import { parseCsv } from "hucre/csv";
import { locale } from "../../../lib/language.ts";

/** Rows that are read of a table. */
export const maxRows = 50_000;

export interface ReadTable {
  columns: string[];
  rows: string[][];
  /** Of each column: every value that is there is a number. */
  isNumber: boolean[];
  isCut: boolean;
}

/** Reads the text of a table whose first row names the columns; a name that is missing or there twice is filled up by `nameOf`. */
export function readTable(text: string, separator: string | undefined, nameOf: (at: number) => string): ReadTable {
  const all = parseCsv(text.trim(), separator === undefined ? {} : { delimiter: separator })
    .map((row) => row.map((cell) => (cell === null || cell === undefined ? "" : String(cell))))
    .filter((row) => row.some((cell) => cell !== ""));
  const [head = [], ...rest] = all;
  const rows = rest.slice(0, maxRows);
  const width = rows.reduce((most, row) => Math.max(most, row.length), head.length);
  const names = new Set<string>();
  const columns = Array.from({ length: width }, (_, at) => {
    const said = head[at]?.trim() ?? "";
    const name = said === "" || names.has(said) ? nameOf(at + 1) : said;
    names.add(name);
    return name;
  });
  const isNumber = columns.map((_, at) => {
    const values = rows.map((row) => row[at] ?? "").filter((value) => value.trim() !== "");
    return values.length > 0 && values.every((value) => Number.isFinite(numberOf(value)));
  });
  return { columns, rows, isNumber, isCut: rest.length > maxRows };
}

/** A number as tables write it, with or without thousands and percent; NaN for other texts. */
export function numberOf(text: string): number {
  const plain = text.trim().replace(/^[$€£¥]\s?|\s?%$/gu, "");
  if (plain === "") return Number.NaN;
  return Number(/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u.test(plain) ? plain.replaceAll(",", "") : plain);
}

/** The rows in the order of a column: numbers by size, other texts as people sort them; empty cells last. */
export function sortRows(table: ReadTable, column: number, direction: 1 | -1): string[][] {
  const collator = new Intl.Collator(locale, { numeric: true });
  const compare = table.isNumber[column]
    ? (a: string, b: string) => numberOf(a) - numberOf(b)
    : (a: string, b: string) => collator.compare(a, b);
  return table.rows.toSorted((first, second) => {
    const [a, b] = [first[column] ?? "", second[column] ?? ""];
    if (a.trim() === "" || b.trim() === "") return Number(a.trim() === "") - Number(b.trim() === "");
    return compare(a, b) * direction;
  });
}
