/** What a spreadsheet would run as a formula, also after spaces: people choose their own names. */
const formula = /^[\s\u{feff}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * One line of CSV (RFC 4180, section 2); text that looks like a formula is prefixed with an apostrophe, so that
 * spreadsheets treat it as text.
 */
export function csvLine(fields: readonly (string | number | null | undefined)[]): string {
  return `${fields.map(csvField).join(",")}\r\n`;
}

function csvField(value: string | number | null | undefined): string {
  if (typeof value === "number") return String(value);
  const text = value === null || value === undefined ? "" : formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
