import { escapeMarkdown } from "../../cards/escape-markdown.ts";
import { webAddress } from "../../cards/fit-card.ts";
import { emojiOf } from "./emoji-codes.ts";
import { numberAt, recordsOf, textAt, valueAt } from "./json-fields.ts";
import type { JsonRecord } from "./sender-post.ts";

/** Slack's rich text as Markdown. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
export function richTextToMarkdown(elements: unknown): string {
  return recordsOf(elements).map(blockOf).filter(Boolean).join("\n");
}

function blockOf(element: JsonRecord): string {
  const inside = () => recordsOf(element["elements"]).map(inline).join("");
  switch (element["type"]) {
    case "rich_text_list": {
      const depth = Math.min(8, Math.max(0, numberAt(element, "indent") ?? 0));
      const mark = element["style"] === "ordered" ? "1." : "-";
      return recordsOf(element["elements"])
        .map((item) => `${"   ".repeat(depth)}${mark} ${recordsOf(item["elements"]).map(inline).join("")}`)
        .join("\n");
    }
    case "rich_text_quote":
      return inside().replaceAll(/^/gm, "> ");
    case "rich_text_preformatted":
      return `\`\`\`\n${recordsOf(element["elements"])
        .map((each) => textAt(each, "text") ?? textAt(each, "url") ?? "")
        .join("")
        .replaceAll("```", "'''")}\n\`\`\``;
    default:
      return inside();
  }
}

function inline(element: JsonRecord): string {
  switch (element["type"]) {
    case "link": {
      const url = webAddress(textAt(element, "url"));
      const label = textAt(element, "text") ?? url ?? textAt(element, "url") ?? "";
      return url
        ? `[${escapeMarkdown(label)}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`
        : styled(element, label);
    }
    case "emoji": {
      const name = textAt(element, "name") ?? "";
      return emojiOf(name) ?? `:${name}:`;
    }
    case "user":
      return `@${escapeMarkdown(textAt(element, "user_id") ?? "")}`;
    case "usergroup":
      return `@${escapeMarkdown(textAt(element, "usergroup_id") ?? "")}`;
    case "channel":
      return `#${escapeMarkdown(textAt(element, "channel_id") ?? "")}`;
    case "broadcast":
      return `@${escapeMarkdown(textAt(element, "range") ?? "")}`;
    case "date":
      return escapeMarkdown(textAt(element, "fallback") ?? "");
    default: {
      const text = valueAt(element, "text");
      return typeof text === "string" ? styled(element, text) : "";
    }
  }
}

/** Bold, italic, struck or code: not the spaces around it, which Markdown does not take. */
function styled(element: JsonRecord, text: string): string {
  const [, before, words, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text)!;
  if (words === "") return text;
  const is = (name: string) => valueAt(element, "style", name) === true;
  if (is("code")) return `${before}\`${words!.replaceAll("`", "'")}\`${after}`;
  const marks = [is("bold") ? "**" : "", is("italic") ? "_" : "", is("strike") ? "~~" : ""];
  return `${before}${marks.join("")}${escapeMarkdown(words!)}${marks.toReversed().join("")}${after}`;
}
