import type { Token, Tokens } from "marked";
import type { Block } from "./block-splitter.ts";
import { maxCells } from "./bounded-lexer.ts";
import { mendTail } from "./mend-tail.ts";

/** Tables whose last row may still change, with how many of their rows do not. */
const settledRows = new WeakMap<Token, number>();

/** How many rows at the start of a table that is still arriving are those of the step before. */
export function rowsBefore(table: Token): number {
  return settledRows.get(table) ?? 0;
}

/**
 * A table that is still arriving, with the rows that have come since: only these and the last one before are lexed, so that a
 * step costs what it brings. Undefined where the text may have become something else, and for what is no table.
 * @param text the whole text, which continues the one that `block` is the end of
 */
export function growTable(block: Block | undefined, text: string, lex: (source: string) => Token[]): Block | undefined {
  const [old] = block?.tokens ?? [];
  if (!block?.open || old?.type !== "table" || block.tokens.length > 1) return undefined;
  const { header, rows } = old as Tokens.Table;
  const raw = text.slice(block.key);
  const headEnd = raw.indexOf("\n", raw.indexOf("\n") + 1) + 1;
  const tailStart = block.raw.trimEnd().lastIndexOf("\n") + 1;
  if (headEnd === 0 || tailStart < headEnd || !raw.startsWith(block.raw)) return undefined;
  const tail = raw.slice(tailStart);
  // Anything but a row ends a table, or may do so when more of it is there.
  if (!/^(?: {0,3}\|[^\n]*(?:\n|$))+$/u.test(tail)) return undefined;
  const kept = countLines(raw.slice(headEnd, tailStart));
  if (kept > rows.length || (header.length + 1) * (kept + countLines(tail) + 2) > maxCells) return undefined;
  const [token, ...others] = lex(mendTail(raw.slice(0, headEnd) + tail));
  if (token?.type !== "table" || others.length > 0) return undefined;
  const grown: Tokens.Table = {
    ...(token as Tokens.Table),
    raw,
    rows: [...rows.slice(0, kept), ...(token as Tokens.Table).rows],
  };
  settledRows.set(grown, kept);
  return { ...block, raw, tokens: [grown] };
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
