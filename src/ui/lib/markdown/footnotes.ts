import type { Token, TokenizerAndRendererExtension, Tokens } from "marked";
import type { Block } from "./block-splitter.ts";
import { BoundedLexer } from "./bounded-lexer.ts";
import { texts } from "./texts.ts";

const maxLabel = 100;
const definitionStart = /(?:^|\n)\[\^[^\]\s]{1,100}\]:/u;
const definition = new RegExp(`^\\[\\^([^\\]\\s]{1,${maxLabel}})\\]:[ \\t]*`, "u");
/** What a line of its own kind begins with: it does not go on with the note before. */
const otherLine = /^(?:\[\^|[#>`~*+|-]|\d+[.)])/u;
const reference = new RegExp(`^\\[\\^([^\\]\\s]{1,${maxLabel}})\\](?!:)`, "u");

/** Footnotes as GitHub has them: `[^label]` in the text, `[^label]: …` at the start of a line. */
export const footnoteExtensions: TokenizerAndRendererExtension[] = [
  {
    name: "footnote",
    level: "block",
    start(src) {
      const { lexer } = this;
      return lexer instanceof BoundedLexer ? lexer.findStart(src, definitionStart) : definitionStart.exec(src)?.index;
    },
    tokenizer(src) {
      const found = readDefinition(src);
      if (!found) return undefined;
      const tokens: Token[] = [];
      this.lexer.blockTokens(found.text, tokens);
      return { type: "footnote", raw: found.raw, label: found.label, tokens };
    },
    renderer: () => "",
  },
  {
    name: "footnoteReference",
    level: "inline",
    start: (src) => {
      const at = src.indexOf("[^");
      return at < 0 ? undefined : at;
    },
    tokenizer(src) {
      const found = reference.exec(src);
      return found ? { type: "footnoteReference", raw: found[0], label: labelOf(found[1]) } : undefined;
    },
    renderer: (token) => `<sup data-footnote="${encodeURIComponent(String(token["label"]))}"></sup>`,
  },
];

/**
 * A definition at the start of a text: its line, lines that go on with it, and indented ones, also after an empty line.
 */
export function readDefinition(src: string): { raw: string; label: string; text: string } | undefined {
  const found = definition.exec(src);
  if (!found) return undefined;
  const lines: string[] = [];
  let end = 0;
  let reached = 0;
  while (reached < src.length) {
    const next = src.indexOf("\n", reached);
    const stop = next === -1 ? src.length : next + 1;
    const line = src.slice(reached, next === -1 ? src.length : next);
    const isBlank = line.trim() === "";
    const isIndented = /^(?: {2,}|\t)/u.test(line);
    const goesOn = reached === 0 || isIndented || (lines.at(-1)?.trim() !== "" && !otherLine.test(line));
    if (!isBlank && !goesOn) break;
    lines.push(reached === 0 ? line.slice(found[0].length) : line.replace(/^(?: {1,4}|\t)/u, ""));
    reached = stop;
    if (!isBlank) end = stop;
  }
  const raw = src.slice(0, end);
  const kept = raw.replace(/\n$/u, "").split("\n").length;
  return { raw, label: labelOf(found[1]), text: lines.slice(0, kept).join("\n") };
}

/** Labels are the same in capitals and small letters. */
function labelOf(text = ""): string {
  return text.normalize("NFC").toLowerCase();
}

/** A note with its number; what it says is a block of its own. */
export interface Note {
  label: string;
  number: number;
  block: Block;
  /** How often the text refers to it. */
  uses: number;
}

/** The notes of one text, and what begins the ids of what belongs to them. */
export interface Footnotes {
  prefix: string;
  notes: readonly Note[];
}

const known = new WeakMap<Token[], string[]>();
/** What definitions say, kept so that it stays the same block and is not shown again. */
const insides = new WeakMap<Block, Block>();

/** Labels that a block refers to, in order. */
export function referencesIn({ raw, tokens }: Block): string[] {
  if (!raw.includes("[^")) return [];
  let labels = known.get(tokens);
  if (!labels) {
    labels = labelsIn(tokens);
    known.set(tokens, labels);
  }
  return labels;
}

function labelsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token): string[] => {
    if (token.type === "footnoteReference") return [String((token as Tokens.Generic)["label"])];
    if (token.type === "table") {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flat().flatMap((cell) => labelsIn(cell.tokens));
    }
    if (token.type === "list") return (token as Tokens.List).items.flatMap((item) => labelsIn(item.tokens));
    return "tokens" in token && token.tokens ? labelsIn(token.tokens) : [];
  });
}

/**
 * Takes the definitions out of a text. Notes are numbered as the text refers to them; those that it never refers to come
 * last, so that nothing is lost. Of two with one label the first one counts.
 */
export function takeNotes(blocks: readonly Block[]): { blocks: Block[]; notes: Note[] } {
  const defined = new Map<string, Block>();
  const shown = blocks.filter((block) => {
    const [token] = block.tokens;
    if (token?.type !== "footnote") return true;
    const { label, tokens = [] } = token as Tokens.Generic;
    let inside = insides.get(block);
    if (!inside) insides.set(block, (inside = { ...block, tokens }));
    if (!defined.has(String(label))) defined.set(String(label), inside);
    return false;
  });
  if (defined.size === 0) return { blocks: shown, notes: [] };
  const uses = new Map<string, number>();
  for (const label of [...shown, ...defined.values()].flatMap(referencesIn))
    if (defined.has(label)) uses.set(label, (uses.get(label) ?? 0) + 1);
  const labels = [...new Set([...uses.keys(), ...defined.keys()])];
  return {
    blocks: shown,
    notes: labels.map((label, at) => ({
      label,
      number: at + 1,
      block: defined.get(label)!,
      uses: uses.get(label) ?? 0,
    })),
  };
}

export const noteId = ({ prefix }: Footnotes, number: number): string => `${prefix}-note-${number}`;
export const referenceId = ({ prefix }: Footnotes, number: number): string => `${prefix}-ref-${number}`;

/** Makes links of the references in a block. What refers to nothing is shown as it was written. Changes `content` in place. */
export function linkNotes(content: DocumentFragment, footnotes: Footnotes | undefined): void {
  for (const mark of content.querySelectorAll<HTMLElement>("sup[data-footnote]")) {
    const label = decoded(mark.dataset["footnote"] ?? "");
    const note = footnotes?.notes.find((each) => each.label === label);
    if (!footnotes || !note) {
      mark.replaceWith(`[^${label}]`);
      continue;
    }
    const link = document.createElement("a");
    link.href = `#${noteId(footnotes, note.number)}`;
    link.dataset["jump"] = "";
    link.role = "doc-noteref";
    link.ariaLabel = texts.footnote(note.number);
    link.textContent = String(note.number);
    // Not an id: a note may be referred to more than once. The way back leads to the first one.
    link.dataset["reference"] = referenceId(footnotes, note.number);
    mark.replaceChildren(link);
    delete mark.dataset["footnote"];
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Goes where a link of a footnote leads: to the note, or back to where the text refers to it. */
export function jump(link: HTMLAnchorElement, within: HTMLElement): void {
  const id = (link.getAttribute("href") ?? "").slice(1);
  const target =
    within.querySelector<HTMLElement>(`[id="${CSS.escape(id)}"]`) ??
    within.querySelector<HTMLElement>(`[data-reference="${CSS.escape(id)}"]`);
  if (!target) return;
  if (!target.matches("a")) target.tabIndex = -1;
  target.scrollIntoView({ block: "nearest" });
  target.focus({ preventScroll: true });
}
