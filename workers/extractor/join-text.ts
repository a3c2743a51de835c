import type { Piece } from "./document.ts";
import { isHigh } from "./passages/split-sentences.ts";

/** Texts are handed on when there is so much of one page, in UTF-16 units. */
const minLength = 32_768;

/** The same, with texts put together and never parted within a character: each is encoded on its own later. */
export async function* joinText(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, undefined> {
  let texts: string[] = [];
  let length = 0;
  let page: number | null = null;
  let label: string | null = null;
  const take = (isWhole: boolean): Piece & { type: "text" } => {
    const text = texts.join("");
    const end = !isWhole && isHigh(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    texts = end === text.length ? [] : [text.slice(end)];
    length = text.length - end;
    return { type: "text", text: text.slice(0, end), page, label };
  };
  for await (const piece of pieces) {
    const isSamePlace =
      piece.type === "text" ? piece.page === page && piece.label === label : piece.type === "progress";
    if (!isSamePlace && length > 0) yield take(true);
    if (piece.type !== "text") {
      yield piece;
      continue;
    }
    ({ page, label } = piece);
    texts.push(piece.text);
    length += piece.text.length;
    if (length >= minLength) yield take(false);
  }
  if (length > 0) yield take(true);
}
