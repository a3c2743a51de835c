import { escapeMarkdown } from "./escape-markdown.ts";
import type { CardKind, CardPart, CardState, MessageCard } from "./schema.ts";

const marks: Readonly<Record<CardKind, string>> = { good: "🟢", warn: "🟡", bad: "🔴", info: "🔵", neutral: "⚪" };

/**
 * The card as readable Markdown: what search finds, what is copied, and what clients that know no cards show. The first
 * line of a card without a lead is its `headLine`.
 */
export function cardMarkdown({ lead, parts }: MessageCard): string {
  return [lead, ...parts.map(partMarkdown)].filter(Boolean).join("\n\n");
}

/** State and title. */
export function headLine({ state, title, url }: CardPart): string {
  const name = title === undefined ? undefined : `**${url ? link(title, url) : escapeMarkdown(title)}**`;
  return [state && spellState(state), name].filter(Boolean).join(" · ");
}

function partMarkdown(part: CardPart): string {
  const { author, text, fields, lists, picture, links, footer, at } = part;
  const lines = [
    headLine(part),
    author && (author.url ? link(author.name, author.url) : escapeMarkdown(author.name)),
    text,
    ...fields.map(({ name, value }) => (name === "" ? value : `**${escapeMarkdown(name)}:** ${value}`)),
    ...lists.flatMap(({ state, items, more }) => [
      `${spellState(state)} (${items.length + more})`,
      ...items.map((item) => `- ${item.text.replaceAll("\n", "\n  ")}${item.url ? ` ${link("Open", item.url)}` : ""}`),
      ...(more > 0 ? [`- and ${more} more`] : []),
    ]),
    picture && link("Picture", picture),
    links.map(({ label, url }) => link(label, url)).join(" · "),
    [footer && escapeMarkdown(footer), at === undefined ? undefined : spellTime(at)].filter(Boolean).join(" · "),
  ];
  return lines.filter(Boolean).join("\n");
}

function spellState({ kind, word }: CardState): string {
  return `${marks[kind]} ${escapeMarkdown(word)}`;
}

function link(label: string, url: string): string {
  // The sign would end the address.
  return `[${escapeMarkdown(label)}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

/** `2026-05-04 09:30 UTC`. */
function spellTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
