import { escapeMarkdown } from "../../cards/escape-markdown.ts";
import type { CardField, CardPart } from "../../cards/schema.ts";
import { partOf, recordAt, recordsOf, textAt, valueAt } from "./json-fields.ts";
import type { JsonRecord } from "./sender-post.ts";
import { slackToMarkdown, slackToText } from "./slack-markup.ts";
import { richTextToMarkdown } from "./slack-rich-text.ts";

/**
 * Slack's blocks as one part of a card; undefined where nothing of them can be shown. Buttons that call back are left
 * out: only those with an address can do something here. https://docs.slack.dev/reference/block-kit/blocks
 */
export function readBlocks(value: unknown): CardPart | undefined {
  const part = partOf({});
  const texts: string[] = [];
  const notes: string[] = [];
  for (const block of recordsOf(value)) readBlock(block, { part, texts, notes });
  if (texts.length > 0) part.text = texts.join("\n\n");
  if (notes.length > 0) part.footer = notes.join(" · ");
  const { title, text, footer, picture, fields, links } = part;
  return title || text || footer || picture || fields.length + links.length > 0 ? part : undefined;
}

/** Whether it is nothing but text. */
export function isPlain({ title, footer, picture, fields, links }: CardPart): boolean {
  return !title && !footer && !picture && fields.length + links.length === 0;
}

interface Reading {
  part: CardPart;
  texts: string[];
  notes: string[];
}

function readBlock(block: JsonRecord, { part, texts, notes }: Reading): void {
  switch (block["type"]) {
    case "header": {
      const title = plainOf(block["text"]);
      if (part.title === undefined) part.title = title;
      else if (title) texts.push(`**${escapeMarkdown(title)}**`);
      return;
    }
    case "section": {
      const text = markdownOf(block["text"]);
      if (text) texts.push(text);
      part.fields.push(...recordsOf(block["fields"]).flatMap((field) => fieldOf(markdownOf(field)) ?? []));
      const accessory = recordAt(block, "accessory");
      if (accessory) readElement(accessory, part);
      return;
    }
    case "rich_text": {
      const text = richTextToMarkdown(block["elements"]);
      if (text) texts.push(text);
      return;
    }
    case "markdown": {
      const text = textAt(block, "text");
      if (text) texts.push(text);
      return;
    }
    case "context":
      for (const element of recordsOf(block["elements"])) {
        const note = element["type"] === "image" ? textAt(element, "alt_text") : plainOf(element);
        if (note) notes.push(note.replaceAll(/[*`]/g, ""));
      }
      return;
    case "image":
      readElement(block, part);
      return;
    case "video": {
      const [title, url] = [plainOf(block["title"]), textAt(block, "title_url")];
      if (url) part.links.push({ label: title ?? url, url });
      return;
    }
    case "actions":
      for (const element of recordsOf(block["elements"])) readElement(element, part);
  }
}

/** A picture, or a button or menu with addresses. */
function readElement(element: JsonRecord, part: CardPart): void {
  if (element["type"] === "image") {
    part.picture ??= textAt(element, "image_url") ?? textAt(element, "slack_file", "url");
    return;
  }
  for (const each of [element, ...recordsOf(element["options"])]) {
    const url = textAt(each, "url");
    if (url) part.links.push({ label: plainOf(each["text"]) ?? url, url });
  }
}

/** The text of a text object, or a text itself, which some write by mistake. */
function plainOf(value: unknown): string | undefined {
  const text = typeof value === "string" ? value : textAt(value, "text");
  return text === undefined || text.trim() === "" ? undefined : slackToText(text);
}

function markdownOf(value: unknown): string | undefined {
  const text = typeof value === "string" ? value : textAt(value, "text");
  if (text === undefined || text.trim() === "") return undefined;
  return valueAt(value, "type") === "plain_text" ? escapeMarkdown(slackToText(text)) : slackToMarkdown(text);
}

/** `*Kind:*\nStorm` is a name with its value. */
function fieldOf(text: string | undefined): CardField | undefined {
  if (text === undefined) return undefined;
  const named = /^\*\*([^*\n]{1,100}?):?\*\*:?\s*\n?([\s\S]+)$/.exec(text);
  return named
    ? { name: named[1]!.trim(), value: named[2]!, is_short: true }
    : { name: "", value: text, is_short: true };
}
