import { escapeMarkdown } from "../../cards/escape-markdown.ts";
import type { CardLink, CardPart } from "../../cards/schema.ts";
import { numberAt, partOf, recordsOf, textAt, timeAt } from "./json-fields.ts";
import type { JsonRecord, Sender } from "./sender-post.ts";

/**
 * Discord's webhooks: `content` with `embeds`, `username`, `avatar_url`. A body with nothing but `content` is the
 * service's own. https://docs.discord.com/developers/resources/webhook#execute-webhook
 */
export const discord: Sender = {
  name: "Discord",
  recognize: ({ content, embeds, username, avatar_url: avatar, components }) =>
    recordsOf(embeds).length > 0 ||
    ((typeof content === "string" || content === null) &&
      (typeof username === "string" || typeof avatar === "string" || recordsOf(components).length > 0)),
  read(body) {
    const text = textAt(body, "content");
    const lead = text && discordToMarkdown(text);
    const parts = recordsOf(body["embeds"]).map(readEmbed);
    const links = recordsOf(body["components"]).flatMap(linksOf);
    const last = parts.at(-1);
    if (last) last.links.push(...links);
    else if (links.length > 0) parts.push(partOf({ links }));
    return {
      card: { ...(lead === undefined ? {} : { lead }), parts },
      face: { name: textAt(body, "username"), picture: textAt(body, "avatar_url") },
    };
  },
};

function readEmbed(embed: JsonRecord): CardPart {
  const color = numberAt(embed, "color");
  const author = textAt(embed, "author", "name");
  const markdown = (...names: string[]): string | undefined => {
    const text = textAt(embed, ...names);
    return text && discordToMarkdown(text);
  };
  return partOf({
    title: textAt(embed, "title") && discordToText(textAt(embed, "title")!),
    url: textAt(embed, "url"),
    color:
      color !== undefined && Number.isInteger(color) && color >= 0 && color <= 0xffffff
        ? `#${color.toString(16).padStart(6, "0")}`
        : undefined,
    author: author === undefined ? undefined : { name: discordToText(author), url: textAt(embed, "author", "url") },
    text: markdown("description"),
    fields: recordsOf(embed["fields"]).map((field) => ({
      name: discordToText(textAt(field, "name") ?? ""),
      value: discordToMarkdown(textAt(field, "value") ?? ""),
      is_short: field["inline"] === true,
    })),
    picture: textAt(embed, "image", "url") ?? textAt(embed, "thumbnail", "url"),
    footer: textAt(embed, "footer", "text"),
    at: timeAt(embed, "timestamp"),
  });
}

/** Buttons with an address; others do something only in Discord. */
function linksOf(component: JsonRecord): CardLink[] {
  const url = textAt(component, "url");
  const own = url === undefined ? [] : [{ label: textAt(component, "label") ?? url, url }];
  return [
    ...own,
    ...recordsOf(component["components"]).flatMap((each) => {
      const address = textAt(each, "url");
      return address === undefined ? [] : [{ label: textAt(each, "label") ?? address, url: address }];
    }),
  ];
}

/** Longest text that is looked at. */
const maxLength = 60_000;

/**
 * Discord writes Markdown, except for ids and times.
 * https://docs.discord.com/developers/reference#message-formatting
 */
export function discordToMarkdown(text: string): string {
  return spellCodes(text.slice(0, maxLength), escapeMarkdown);
}

function discordToText(text: string): string {
  return spellCodes(text.slice(0, maxLength), (words) => words);
}

function spellCodes(text: string, write: (words: string) => string): string {
  return text
    .replaceAll(/<@[!&]?(\d{1,30})>/g, (_, id: string) => write(`@${id}`))
    .replaceAll(/<#(\d{1,30})>/g, (_, id: string) => write(`#${id}`))
    .replaceAll(/<a?:(\w{1,64}):\d{1,30}>/g, (_, name: string) => write(`:${name}:`))
    .replaceAll(/<\/([^:<>\n]{1,100}):\d{1,30}>/g, (_, name: string) => write(`/${name}`))
    .replaceAll(/<t:(-?\d{1,12})(?::[A-Za-z])?>/g, (whole, seconds: string) => {
      const time = new Date(Number(seconds) * 1000);
      return Number.isNaN(time.getTime()) ? whole : `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
    });
}
