import type { Block } from "./block-splitter.ts";
import { type Citations, citeAll } from "./cite.ts";
import { dress } from "./dress.ts";
import { type Footnotes, linkNotes } from "./footnotes.ts";
import { highlightAll } from "./highlight.ts";
import { type MentionNames, nameMentions } from "./name-mentions.ts";
import { markdown } from "./parser.ts";
import { sanitize } from "./sanitize.ts";
import { typesetAll } from "./typeset.ts";

/** What numbers and names in a text stand for. */
export interface BlockNames {
  citations?: Citations | undefined;
  names?: MentionNames | undefined;
  footnotes?: Footnotes | undefined;
}

/**
 * Shows a block in an element, in place of what the element showed before. Code that is still arriving is appended to
 * instead of built again, so that a long listing costs per step what the step brings.
 */
export function renderBlock(
  element: HTMLElement,
  block: Block,
  { citations, names, footnotes }: BlockNames = {},
): void {
  if (block.open && appendCode(element, block)) return;
  const content = sanitize(markdown.parser(block.tokens));
  linkNotes(content, footnotes);
  if (citations) citeAll(content, citations);
  if (names) nameMentions(content, names);
  dress(content);
  typesetAll(content);
  element.replaceChildren(content);
  // Colours come when the code is complete: half a string or comment would paint everything after it wrongly.
  if (!block.open) highlightAll(element);
}

function appendCode(element: HTMLElement, block: Block): boolean {
  const [token] = block.tokens;
  if (token?.type !== "code" || block.tokens.length > 1) return false;
  const code = element.querySelector(":scope > .code > pre > code");
  const node = code?.firstChild;
  if (!(node instanceof Text) || code?.childNodes.length !== 1) return false;
  const language =
    String(token["lang"] ?? "")
      .trim()
      .split(/\s/u)[0] ?? "";
  if (code.parentElement?.dataset["language"] !== language) return false;
  const text = `${String(token["text"])}\n`;
  const before = node.data.slice(0, -1);
  if (!text.startsWith(before)) return false;
  node.replaceData(before.length, node.length - before.length, text.slice(before.length));
  return true;
}
