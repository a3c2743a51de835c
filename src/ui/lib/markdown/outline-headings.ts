import type { Token, Tokens } from "marked";
import type { Block } from "./block-splitter.ts";

/** The page has its title, and each answer a heading of the second level. */
const first = 3;
const last = 6;

/** A heading with its place in the outline of the page. */
export interface PlacedHeading extends Tokens.Heading {
  level?: number;
}

/**
 * Gives each heading its level in the page's outline: one below the heading that it belongs to, whatever its number of `#`.
 * So no level is left out where a text begins with `###`. A block whose level changes becomes another one, so that it is
 * shown again.
 */
export function outlineHeadings(blocks: readonly Block[]): Block[] {
  const open: number[] = [];
  const place = (depth: number): number => {
    while (open.length > 0 && open.at(-1)! >= depth) open.pop();
    open.push(depth);
    return Math.min(first + open.length - 1, last);
  };
  return blocks.map((block) => {
    const headings = headingsIn(block.tokens);
    if (headings.length === 0) return block;
    let changed = false;
    for (const heading of headings) {
      const level = place(heading.depth);
      changed ||= heading.level !== undefined && heading.level !== level;
      heading.level = level;
    }
    return changed ? { ...block } : block;
  });
}

/** Also those in quotes and lists. */
function headingsIn(tokens: readonly Token[]): PlacedHeading[] {
  return tokens.flatMap((token): PlacedHeading[] => {
    if (token.type === "heading") return [token as PlacedHeading];
    if (token.type === "blockquote") return headingsIn((token as Tokens.Blockquote).tokens);
    if (token.type === "list") return (token as Tokens.List).items.flatMap((item) => headingsIn(item.tokens));
    return [];
  });
}
