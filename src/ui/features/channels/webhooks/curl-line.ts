/** A text as one word of a POSIX shell (IEEE 1003.1, section 2.2.2). */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A line for a shell that posts this text. */
export function curlLine(url: string, content: string): string {
  const body = JSON.stringify({ content });
  return `curl ${quoted(url)} -H ${quoted("Content-Type: application/json")} -d ${quoted(body)}`;
}
