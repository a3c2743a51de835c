/**
 * The text in a form that the database can store: without NUL (which ends texts in SQLite) and unpaired surrogates
 * (which are not valid UTF-8).
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

/** The value as JSON with all strings cleaned as by `cleanText`. */
export function cleanJson(value: unknown): string {
  // JSON.stringify writes lone surrogates and NUL as escapes; an escaped backslash before them is matched away first.
  return JSON.stringify(value).replace(/\\(?:\\|u(?:d[89a-f][0-9a-f]{2}|0000))/g, (escape) =>
    escape === "\\\\" ? escape : escape === "\\u0000" ? "" : "\\ufffd",
  );
}
