/** How messages name people, models and channels in their text: `<@U:id|label>`, `<@M:id|label>`, `<#C:id|label>`, as in the peer. */

/** Names that count in one message at most; more of them are plain text. */
export const maxMentions = 50;

const kinds = { "@U": "user", "@M": "model", "#C": "channel" } as const;

export interface Mention {
  kind: (typeof kinds)[keyof typeof kinds];
  id: string;
  /** What stood there when it was written; "" where nothing did. Whoever shows it knows the name of today better. */
  label: string;
  /** Where it stands in the text, in UTF-16 units: from `start` to before `end`. */
  start: number;
  end: number;
}

// Each part is bounded, and none can hold the sign that ends it: no text makes this slow.
const form = /<(@U|@M|#C):([^<>|\r\n]{1,256})(?:\|([^<>\r\n]{0,256}))?>/g;

/** The names in a text in their order, repeated ones included; up to `maxMentions` of them. Never throws. */
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

/** Ids of one kind that a text names, each once, in the order of their first places. */
export function mentionedIds(content: string, kind: Mention["kind"]): string[] {
  return [...new Set(readMentions(content).flatMap((mention) => (mention.kind === kind ? [mention.id] : [])))];
}

/** The text with names in the place of their codes: `@Ada` for `<@U:id|Ada>`. */
export function spellMentions(content: string): string {
  let text = "";
  let from = 0;
  for (const mention of readMentions(content)) {
    text += content.slice(from, mention.start) + spellMention(mention);
    from = mention.end;
  }
  return text + content.slice(from);
}

/** `@Ada` or `#releases`; the id where the text says no name. */
export function spellMention({ kind, id, label }: Pick<Mention, "kind" | "id" | "label">): string {
  return (kind === "channel" ? "#" : "@") + (label.replace(/^[@#]/u, "") || id);
}
