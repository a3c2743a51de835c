import type { CardPart, CardState } from "../../cards/schema.ts";
import { emojiOf } from "./emoji-codes.ts";
import { numberAt, partOf, recordsOf, textAt, timeAt } from "./json-fields.ts";
import type { JsonRecord, PostFace, Sender } from "./sender-post.ts";
import { isPlain, readBlocks } from "./slack-blocks.ts";
import { slackToMarkdown, slackToText } from "./slack-markup.ts";

/**
 * Slack's incoming webhooks, which many programs speak: `text`, `attachments`, `blocks`.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export const slack: Sender = {
  name: "Slack",
  recognize: (body) =>
    typeof body["text"] === "string" ||
    recordsOf(body["attachments"]).length > 0 ||
    recordsOf(body["blocks"]).length > 0,
  read(body) {
    const text = textAt(body, "text");
    const blocks = readBlocks(body["blocks"]);
    const attachments = recordsOf(body["attachments"]).map(readAttachment);
    const plain = blocks && isPlain(blocks) ? blocks.text : undefined;
    const parts = [...(blocks && plain === undefined ? [blocks] : []), ...attachments.map(({ part }) => part)];
    // Beside blocks the text is only what notifications say.
    const said = blocks ? plain : text && slackToMarkdown(text);
    const lead = [said, ...attachments.map(({ pretext }) => pretext)].filter(Boolean).join("\n");
    return { card: { ...(lead === "" ? {} : { lead }), parts }, face: faceOf(body) };
  },
};

function faceOf(body: JsonRecord): PostFace {
  const code = textAt(body, "icon_emoji")?.trim();
  return {
    name: textAt(body, "username"),
    picture: textAt(body, "icon_url"),
    // Some write the sign itself.
    emoji: code && (emojiOf(code.replaceAll(":", "")) ?? (/^\p{Extended_Pictographic}/u.test(code) ? code : undefined)),
  };
}

/** https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments */
function readAttachment(attachment: JsonRecord): { part: CardPart; pretext: string | undefined } {
  const inside = readBlocks(attachment["blocks"]);
  const { state, color } = colorOf(textAt(attachment, "color"));
  const pretext = textAt(attachment, "pretext");
  const markdown = (name: string): string | undefined => {
    const text = textAt(attachment, name);
    return text && slackToMarkdown(text);
  };
  const plain = (name: string): string | undefined => {
    const text = textAt(attachment, name);
    return text && slackToText(text);
  };
  const author = plain("author_name");
  const part = partOf({
    title: plain("title") ?? inside?.title,
    url: textAt(attachment, "title_link"),
    state,
    color,
    author: author === undefined ? undefined : { name: author, url: textAt(attachment, "author_link") },
    text: [markdown("text"), inside?.text].filter(Boolean).join("\n") || undefined,
    fields: [
      ...recordsOf(attachment["fields"]).map((field) => ({
        name: slackToText(textAt(field, "title") ?? ""),
        value: slackToMarkdown(textAt(field, "value") ?? ""),
        is_short: field["short"] === true || field["short"] === "true",
      })),
      ...(inside?.fields ?? []),
    ],
    picture: textAt(attachment, "image_url") ?? textAt(attachment, "thumb_url") ?? inside?.picture,
    links: [
      ...recordsOf(attachment["actions"]).flatMap((action) => {
        const url = textAt(action, "url");
        return url === undefined ? [] : [{ label: slackToText(textAt(action, "text") ?? url), url }];
      }),
      ...(inside?.links ?? []),
    ],
    footer: plain("footer") ?? inside?.footer,
    at: secondsOf(attachment),
  });
  const { title, text, fields, picture } = part;
  // What old clients would show instead of all that.
  if (!title && !text && fields.length === 0 && !picture) part.text = markdown("fallback");
  return { part, pretext: pretext && slackToMarkdown(pretext) };
}

/** `ts`: seconds, as a number or text. */
function secondsOf(attachment: JsonRecord): number | undefined {
  const seconds = numberAt(attachment, "ts") ?? Number(textAt(attachment, "ts") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.trunc(seconds * 1000) : timeAt(attachment, "ts");
}

const named: Readonly<Record<string, CardState>> = {
  good: { kind: "good", word: "Good" },
  warning: { kind: "warn", word: "Warning" },
  danger: { kind: "bad", word: "Danger" },
};

/** `good`, `warning`, `danger`, or a colour. */
function colorOf(text: string | undefined): { state?: CardState | undefined; color?: string | undefined } {
  const name = text?.trim().toLowerCase() ?? "";
  if (Object.hasOwn(named, name)) return { state: named[name] };
  const short = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(name);
  if (short)
    return {
      color: `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join("")}`,
    };
  return /^#?[0-9a-f]{6}$/.test(name) ? { color: `#${name.replace("#", "")}` } : {};
}
