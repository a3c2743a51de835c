import { type Mention, readMentions, spellMention } from "../../../../shared/mentions.ts";

/** Somebody or something that a text names. */
export type Named = Pick<Mention, "kind" | "id" | "label">;

/** What is named in a text that is being written, by what stands for it there: `@Ada Lovelace`. */
export type DraftNames = ReadonlyMap<string, Named>;

/** A text as it is written, with names instead of their codes. */
export interface Draft {
  text: string;
  names: DraftNames;
}

const longestPart = 256;
const codes = { user: "@U", model: "@M", channel: "#C" } as const;

/** Whether a message can name it: codes hold no brackets and no ends of lines in ids. */
export function isNameable({ id }: Pick<Named, "id">): boolean {
  return id !== "" && id.length <= longestPart && !/[<>|\r\n]/u.test(id);
}

/** The code of a name, as messages have it. */
function codeOf({ kind, id, label }: Named): string {
  return `<${codes[kind]}:${id}|${cleanLabel(label)}>`;
}

function cleanLabel(label: string): string {
  const clean = label.replaceAll(/[<>\s|]+/gu, " ").trim();
  return clean.length <= longestPart ? clean : clean.slice(0, longestPart).toWellFormed();
}

/**
 * Adds a name to those of a draft.
 * @returns what stands for it in the text: of two with the same name, the second has a number
 */
export function addName(names: DraftNames, named: Named): { shown: string; names: DraftNames } {
  const name = spellMention({ ...named, label: cleanLabel(named.label) });
  for (let count = 1; ; count++) {
    const shown = count === 1 ? name : `${name} (${count})`;
    const known = names.get(shown);
    if (!known) return { shown, names: new Map(names).set(shown, named) };
    if (known.kind === named.kind && known.id === named.id) return { shown, names };
  }
}

/** The text as it is sent: with the codes of all that it names. A name that was changed by hand is just text. */
export function toWire({ text, names }: Draft): string {
  if (names.size === 0) return text;
  // The longest first: `@Ada Lovelace` is not `@Ada`.
  const shown = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_@#])(?:${shown.map((each) => escape(each)).join("|")})(?![\\p{L}\\p{N}_])`,
    "gu",
  );
  return text.replaceAll(pattern, (found) => codeOf(names.get(found)!));
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}

/** A message's text as it is written. */
export function fromWire(content: string): Draft {
  let text = "";
  let from = 0;
  let names: DraftNames = new Map();
  for (const { kind, id, label, start, end } of readMentions(content)) {
    const added = addName(names, { kind, id, label });
    ({ names } = added);
    text += content.slice(from, start) + added.shown;
    from = end;
  }
  return { text: text + content.slice(from), names };
}
