import type { ReferenceMark } from "../../chat/references/find-reference.ts";

/** Shorter words after a colon are something else: `:D`, `10:30`. */
const minLength = 2;

/** The `:code` that the caret stands behind; undefined where there is none, as in `10:30`. @param caret in UTF-16 units */
export function findCode(text: string, caret: number): ReferenceMark | undefined {
  const found = /(?:^|[\s([{"'“‘\p{Extended_Pictographic}\u{FE0F}]):([\w+-]{1,50})$/u.exec(
    text.slice(Math.max(0, caret - 60), caret),
  );
  const query = found?.[1];
  if (query === undefined || query.length < minLength) return undefined;
  return { start: caret - query.length - 1, end: caret, query };
}

/** The whole `:code:` that the caret stands behind. */
export function findWholeCode(text: string, caret: number): ReferenceMark | undefined {
  if (text[caret - 1] !== ":") return undefined;
  const mark = findCode(text, caret - 1);
  return mark && { ...mark, end: caret };
}
