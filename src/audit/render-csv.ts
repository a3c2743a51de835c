import type { EventRow } from "./select-events.ts";

const columns: readonly (readonly [name: string, of: (row: EventRow) => string | null])[] = [
  ["time", (row) => new Date(row.at * 1000).toISOString()],
  ["actor_kind", (row) => row.actorKind],
  ["actor_id", (row) => row.actorId],
  ["actor_name", (row) => row.actorName],
  ["action", (row) => row.action],
  ["target_type", (row) => row.targetType],
  ["target_id", (row) => row.targetId],
  ["organization_id", (row) => row.organizationId],
  ["detail", (row) => JSON.stringify(row.detail)],
  ["request_id", (row) => row.requestId],
  ["id", (row) => row.id],
];

/** What a spreadsheet would run as a formula, also behind blanks: people choose their own names. */
const formula = /^[\s\u{feff}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** One field (RFC 4180, section 2); a formula is made a text, by the quotation mark that spreadsheets know for that. */
function field(value: string | null): string {
  const text = value === null ? "" : formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (fields: readonly string[]) => `${fields.join(",")}\r\n`;

export const csvHead: string = line(columns.map(([name]) => name));

export function toCsvLine(row: EventRow): string {
  return line(columns.map(([, of]) => field(of(row))));
}
