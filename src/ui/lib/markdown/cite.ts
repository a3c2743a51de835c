import { at } from "../base-path.ts";
import { citationPattern, readNumbers } from "./cited-numbers.ts";

/** What the numbers in square brackets of a text stand for. */
export interface Citations {
  has(number: number): boolean;
  /** Where a click leads. */
  address(number: number): string;
  /** Name for screen readers. */
  label(number: number): string;
}

/**
 * Makes links of the numbers of sources in a text. Only numbers that stand for something, and never within code, formulas and
 * links. Changes `content` in place; only what has passed `sanitize`.
 */
export function citeAll(content: DocumentFragment, citations: Citations): void {
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text && /[[【]\d/u.test(node.data) && !node.parentElement?.closest("a, code, pre, [data-math]"))
      nodes.push(node);
  for (const node of nodes) cite(node, citations);
}

function cite(node: Text, citations: Citations): void {
  const pieces: (string | Node)[] = [];
  let from = 0;
  for (const match of node.data.matchAll(citationPattern)) {
    const numbers = readNumbers(match[1] ?? match[2] ?? "");
    if (!numbers?.every((number) => citations.has(number))) continue;
    pieces.push(node.data.slice(from, match.index), ...numbers.map((number) => linkOf(number, citations)));
    from = match.index + match[0].length;
  }
  if (pieces.length > 0) node.replaceWith(...pieces, node.data.slice(from));
}

function linkOf(number: number, citations: Citations): HTMLAnchorElement {
  const link = document.createElement("a");
  link.className = "cite";
  link.href = at(citations.address(number));
  link.ariaLabel = citations.label(number);
  link.textContent = String(number);
  return link;
}
