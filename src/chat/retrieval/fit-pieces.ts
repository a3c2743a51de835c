import { estimateTokenCount, sliceByTokens } from "tokenx";
import { sourceKey, type Piece } from "./piece.ts";

/** Overhead of a passage in the prompt besides its text, name and headings; estimated tokens. */
const frame = 16;

/** Maximum number of units examined per token of room: longer texts do not fit anyway. */
const maxUnitsPerToken = 16;

/** Estimated tokens of a text that may be much longer than the room; at least `room` in that case. */
export function estimateLong(text: string, room: number): number {
  return text.length > room * maxUnitsPerToken ? room : estimateTokenCount(text);
}

export interface Fitted {
  pieces: Piece[];
  /** Estimated tokens of all of them. */
  tokens: number;
  /** Whether something was cut or left out. */
  isShort: boolean;
}

/**
 * The pieces that fit into the room, in order; if the first one is too long by itself, it is cut.
 * @param room estimated tokens
 */
export function fitPieces(pieces: readonly Piece[], room: number): Fitted {
  const fitted: Fitted = { pieces: [], tokens: 0, isShort: false };
  for (const piece of pieces) {
    const around = frame + estimateTokenCount([piece.source.name, ...piece.headings].join(" "));
    const isEndless = piece.text.length > room * maxUnitsPerToken;
    const needed = isEndless ? Infinity : around + estimateTokenCount(piece.text);
    if (fitted.tokens + needed <= room) {
      fitted.pieces.push(piece);
      fitted.tokens += needed;
      continue;
    }
    fitted.isShort = true;
    const left = room - fitted.tokens - around;
    if (fitted.pieces.length > 0 || left <= 0) continue;
    const text = sliceByTokens(piece.text.slice(0, room * maxUnitsPerToken), 0, left).toWellFormed();
    if (text.trim() === "") continue;
    fitted.pieces.push({ ...piece, text, end: Math.min(piece.end, piece.start + text.length) });
    fitted.tokens += around + estimateTokenCount(text);
  }
  return fitted;
}

/** Passages without duplicates: sources ordered by their best passage, and passages of each source in text order. */
export function inReadingOrder(pieces: readonly Piece[]): Piece[] {
  const seen = new Set<number>();
  const once = pieces.filter(({ chunk }) => {
    if (chunk === null) return true;
    if (seen.has(chunk)) return false;
    seen.add(chunk);
    return true;
  });
  const grouped = Map.groupBy(once, ({ source }) => sourceKey(source));
  return [...grouped.values()].flatMap((group) => group.toSorted((a, b) => a.start - b.start));
}
