import { csvLine } from "../lib/csv.ts";
import { type UsageReport, usageRow } from "./schema.ts";

type Row = UsageReport["rows"][number];

const columns = Object.keys(usageRow.shape) as (keyof Row)[];

/** A report as CSV: the columns that its rows have, in the order of the JSON answer's description. */
export function renderUsageCsv({ rows }: UsageReport): string {
  const [first] = rows;
  const shown = first ? columns.filter((name) => name in first) : [];
  return [csvLine(shown), ...rows.map((row) => csvLine(shown.map((name) => row[name])))].join("");
}
