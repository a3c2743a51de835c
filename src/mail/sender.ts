/** Who an e-mail comes from. */
export interface Sender {
  /** "" where there is only the address. */
  name: string;
  address: string;
}

/** One line: what stands in a header must not begin another one. */
const form = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^\s<>\p{Cc}]+@[^\s<>@\p{Cc}]+)>|([^\s<>\p{Cc}]+@[^\s<>@\p{Cc}]+))$/u;

/** Reads `parley@example.org` or `Parley <parley@example.org>`; undefined for anything else. */
export function parseSender(text: string): Sender | undefined {
  const match = form.exec(text.trim());
  if (!match) return undefined;
  return { name: (match[1] ?? "").trim(), address: (match[2] ?? match[3])! };
}
