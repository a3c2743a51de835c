/** How messages name people, models and channels in their text: `<@U:id|label>`, `<@M:id|label>`, `<#C:id|label>`, as in Open WebUI. */

/** Maximum number of mentions per message; more are plain text. */
export const maxMentions = 50;

const kinds = { "@U": "user", "@M": "model", "#C": "channel" } as const;

export interface Mention {
  kind: (typeof kinds)[keyof typeof kinds];
  id: string;
  /** What stood there when it was written; "" where nothing did. Anyone who shows it knows the name of today better. */
  label: string;
  /** Where it stands in the text, in UTF-16 units: from `start` to before `end`. */
  start: number;
  end: number;
}

// Each part is bounded, and none can hold the sign that ends it: no text makes this slow.
const form = /<(@U|@M|#C):([^<>|\r\n]{1,256})(?:\|([^<>\r\n]{0,256}))?>/g;

/** The mentions in a text in order, including repetitions; up to `mostMentions` of them. Never throws. */
export function readMentions(content: string): Mention[] {
  const found: Mention[] = [];
  for (const match of content.matchAll(form)) {
    if (found.length === maxMentions) break;
    const [whole, sign, id, label] = match;
    found.push({
      kind: kinds[sign as keyof typeof kinds],
      id: id!,
      label: label ?? "",
      start: match.index,
      end: match.index + whole.length,
    });
  }
  return found;
}

/** Ids of one kind mentioned in a text, without duplicates, in order. */
export function mentionedIds(content: string, kind: Mention["kind"]): string[] {
  return [...new Set(readMentions(content).flatMap((mention) => (mention.kind === kind ? [mention.id] : [])))];
}

/** The text with mentions replaced by names: `@Ada` for `<@U:id|Ada>`. */
export function spellMentions(content: string): string {
  let text = "";
  let from = 0;
  for (const mention of readMentions(content)) {
    text += content.slice(from, mention.start) + spellMention(mention);
    from = mention.end;
  }
  return text + content.slice(from);
}

/** The text with all mentions spelled, however many there are: it names people and calls nobody. */
export function disarmMentions(content: string): string {
  const spelled = content.replaceAll(form, (_, sign: keyof typeof kinds, id: string, label: string | undefined) =>
    spellMention({ kind: kinds[sign], id, label: label ?? "" }),
  );
  // What is left of nested ones would be mentions again: an invisible sign stands in between.
  return spelled.replaceAll(/<(?=(?:@U|@M|#C):)/g, "<\u2060");
}

/** `@Ada` or `#releases`; the id if the text has no name. */
export function spellMention({ kind, id, label }: Pick<Mention, "kind" | "id" | "label">): string {
  return (kind === "channel" ? "#" : "@") + (label.replace(/^[@#]/u, "") || id);
}
