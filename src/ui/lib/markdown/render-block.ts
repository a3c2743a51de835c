import type { Token, Tokens } from "marked";
import type { Block } from "./block-splitter.ts";
import { type Citations, citeAll } from "./cite.ts";
import { dress } from "./dress.ts";
import { type Footnotes, linkNotes } from "./footnotes.ts";
import { rowsBefore } from "./grow-table.ts";
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
 * Shows a block in an element, in place of what the element showed before. Code and tables that are still arriving are
 * appended to instead of built again, so that a long one costs per step what the step brings.
 */
export function renderBlock(element: HTMLElement, block: Block, known: BlockNames = {}): void {
  if (block.open && (appendCode(element, block) || appendRows(element, block, known))) return;
  element.replaceChildren(contentOf(block.tokens, known));
  rememberTable(element, block, known);
  // Colours come when the code is complete: half a string or comment would paint everything after it wrongly.
  if (!block.open) highlightAll(element);
}

function contentOf(tokens: Token[], { citations, names, footnotes }: BlockNames): DocumentFragment {
  const content = sanitize(markdown.parser(tokens));
  linkNotes(content, footnotes);
  if (citations) citeAll(content, citations);
  if (names) nameMentions(content, names);
  dress(content);
  typesetAll(content);
  return content;
}

/** The rows that an element shows, and what their numbers and names stood for. */
const shownTables = new WeakMap<HTMLElement, { rows: readonly unknown[]; known: BlockNames }>();

function rememberTable(element: HTMLElement, { tokens }: Block, known: BlockNames): void {
  const [token] = tokens;
  if (token?.type === "table") shownTables.set(element, { rows: (token as Tokens.Table).rows, known });
  else shownTables.delete(element);
}

function appendRows(element: HTMLElement, block: Block, known: BlockNames): boolean {
  const [token] = block.tokens;
  const shown = shownTables.get(element);
  if (token?.type !== "table" || !shown || block.tokens.length > 1) return false;
  const table = token as Tokens.Table;
  const from = rowsBefore(token);
  const body = element.querySelector<HTMLTableSectionElement>(":scope > .table-scroll > table > tbody");
  const isSame =
    from > 0 &&
    shown.known.citations === known.citations &&
    shown.known.names === known.names &&
    shown.known.footnotes === known.footnotes &&
    // Rows that were kept are the same objects.
    table.rows[from - 1] === shown.rows[from - 1];
  if (!body || !isSame || body.rows.length !== shown.rows.length) return false;
  const added = contentOf([{ ...table, rows: table.rows.slice(from) } as Tokens.Table], known);
  while (body.rows.length > from) body.deleteRow(-1);
  body.append(...added.querySelectorAll("tbody > tr"));
  rememberTable(element, block, known);
  return true;
}

function appendCode(element: HTMLElement, block: Block): boolean {
  const [token] = block.tokens;
  if (token?.type !== "code" || block.tokens.length > 1) return false;
  const code = element.querySelector(":scope > .code > div > pre > code");
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
