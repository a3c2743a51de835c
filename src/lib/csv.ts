/** What a spreadsheet would run as a formula, also behind blanks: people choose their own names. */
const formula = /^[\s\u{feff}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** One line of CSV (RFC 4180, section 2); a text that is a formula is made a text, by the quotation mark that spreadsheets know for that. */
export function csvLine(fields: readonly (string | number | null | undefined)[]): string {
  return `${fields.map(csvField).join(",")}\r\n`;
}

function csvField(value: string | number | null | undefined): string {
  if (typeof value === "number") return String(value);
  const text = value === null || value === undefined ? "" : formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
