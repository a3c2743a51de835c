/** A client's text for an error: in quotes, and at most one line. */
export function quoted(text: string): string {
  const start = Array.from(text.slice(0, 200)).slice(0, 100).join("");
  return JSON.stringify(start.length < text.length ? `${start}…` : text);
}
