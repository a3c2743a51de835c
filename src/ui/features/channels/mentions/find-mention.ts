import type { ReferenceMark } from "../../chat/references/find-reference.ts";
import type { DraftNames } from "./mention-draft.ts";

/** A name that is being written. */
export interface MentionMark extends ReferenceMark {
  sign: "@" | "#";
}

/** Longer words are no names that somebody looks for. */
const maxLength = 60;

/**
 * The `@word` or `#word` that the caret stands behind, of names with a blank up to their second word; undefined where there is none.
 * Within a word, as in an e-mail address, it is none, and neither is a name that was chosen.
 * @param caret in UTF-16 units
 */
export function findMention(text: string, caret: number, names: DraftNames): MentionMark | undefined {
  const before = text.slice(Math.max(0, caret - maxLength - 2), caret);
  const found = /(?:^|[\s([{"'“‘])([@#])([^\s@#]*(?:[^\S\n][^\s@#]+)?)$/u.exec(before);
  const [, sign, query] = found ?? [];
  if (query === undefined || query.length > maxLength) return undefined;
  const start = caret - query.length - 1;
  if ([...names.keys()].some((shown) => text.startsWith(shown, start) && start + shown.length <= caret))
    return undefined;
  return { start, end: caret, query, sign: sign as MentionMark["sign"] };
}

/** The text with a name in the place of what was written of it, and where the caret then stands. */
export function putMention(text: string, { start, end }: MentionMark, shown: string): { text: string; caret: number } {
  const after = text.slice(end);
  const blank = /^\s/u.test(after) ? "" : " ";
  return { text: `${text.slice(0, start)}${shown}${blank}${after}`, caret: start + shown.length + 1 };
}
