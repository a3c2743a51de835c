/** A `#` or an `@` that is being written: where it stands in the text, and what follows it up to the caret. */
export interface ReferenceMark {
  start: number;
  end: number;
  query: string;
}

/** Longer words behind a `#` are no names that somebody looks for. */
const maxLength = 60;
/** Of addresses of pages. */
const maxAddressLength = 2000;

const patterns = {
  "#": /(?:^|[\s([{"'“‘])#(https?:\/\/\S*|[^\s#]*)$/iu,
  "@": /(?:^|[\s([{"'“‘])@([^\s@]*)$/u,
};

/**
 * The `#word` that the caret stands in or behind; undefined where there is none. A `#` within a word is none, nor are the `##` of
 * a heading.
 * @param caret in UTF-16 units
 * @param sign `@` for a word that begins with one
 */
export function findReference(text: string, caret: number, sign: "#" | "@" = "#"): ReferenceMark | undefined {
  const before = text.slice(Math.max(0, caret - maxAddressLength - 2), caret);
  const found = patterns[sign].exec(before);
  const query = found?.[1];
  if (query === undefined || (query.length > maxLength && !isAddress(query))) return undefined;
  return { start: caret - query.length - 1, end: caret, query };
}

/** Whether a page of the web is meant. */
export function isAddress(query: string): boolean {
  return /^https?:\/\//iu.test(query);
}

/** The text without the mark, and where the caret then stands. */
export function withoutReference(text: string, { start, end }: ReferenceMark): { text: string; caret: number } {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const joined = /\s$/u.test(before) || before === "" ? after.replace(/^[^\S\n]/u, "") : after;
  return { text: before + joined, caret: before.length };
}
