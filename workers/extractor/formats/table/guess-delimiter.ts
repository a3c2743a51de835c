import { CsvRows } from "./csv-rows.ts";

const delimiters = [",", ";", "\t", "|"];
const rowsLooked = 30;

/** The separator: the one with which most rows have the same number of cells, and more than one. */
export function guessDelimiter(sample: string): string {
  const said = /^sep=(.)\n/.exec(sample)?.[1];
  if (said !== undefined) return said;
  const scores = delimiters.map((delimiter) => ({ delimiter, score: score(sample, delimiter) }));
  return scores.toSorted((a, b) => b.score - a.score)[0]!.delimiter;
}

function score(sample: string, delimiter: string): number {
  const rows = new CsvRows(delimiter)
    .push(sample)
    .filter((cells) => cells.some((cell) => cell !== ""))
    .slice(0, rowsLooked);
  const widths = rows.map(({ length }) => length).filter((width) => width > 1);
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const usual = Math.max(0, ...counts.values());
  const width = [...counts].find(([, count]) => count === usual)?.[0] ?? 0;
  // More cells are a better sign than few, but that rows agree is a better one.
  return rows.length === 0 ? 0 : (usual / rows.length) * 100 + Math.min(width, 50);
}
