/**
 * The text as the database can keep it: without NUL (SQLite ends texts there) and without halves of surrogate pairs
 * (they are no UTF-8).
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

/** The value as JSON whose strings are all clean in the sense of `cleanText`. */
export function cleanJson(value: unknown): string {
  // JSON.stringify writes lone surrogates and NUL as escapes; an escaped backslash before them is matched away first.
  return JSON.stringify(value).replace(/\\(?:\\|u(?:d[89a-f][0-9a-f]{2}|0000))/g, (escape) =>
    escape === "\\\\" ? escape : escape === "\\u0000" ? "" : "\\ufffd",
  );
}
