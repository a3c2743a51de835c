import { escapeMarkdown } from "../../cards/escape-markdown.ts";
import { webAddress } from "../../cards/fit-card.ts";
import { emojiOf } from "./emoji-codes.ts";

/** Code, in which only the escapes mean something. */
const code = /(```[\s\S]*?```|`[^`\n]+`)/;

/** Longest text that is looked at: far more than a post holds. */
const maxLength = 60_000;

/**
 * Slack's markup as Markdown. What already is Markdown stays, because many senders write that instead.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function slackToMarkdown(text: string): string {
  return text
    .slice(0, maxLength)
    .split(code)
    .map((piece, at) => (at % 2 === 1 ? unescape(plainAngles(piece)) : convert(piece)))
    .join("");
}

/** Slack's plain text: only escapes and codes of emoji. */
export function slackToText(text: string): string {
  return withEmoji(unescape(plainAngles(text.slice(0, maxLength))));
}

function convert(text: string): string {
  return withEmoji(
    unescape(
      text
        .replaceAll(/<([^<>\n]{1,3000})>/g, (whole, inside: string) => angle(inside) ?? whole)
        // One star makes bold here, and in Markdown emphasis.
        .replaceAll(/(?<![*\p{L}\p{N}\\])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![*\p{L}\p{N}])/gu, "**$1**")
        .replaceAll(/(?<![~\p{L}\p{N}])~(?=[^\s~])([^~\n]*[^\s~])~(?![~\p{L}\p{N}])/gu, "~~$1~~")
        .replaceAll(/^([ \t]*)[•◦▪▫‣]\uFE0E?[ \t]*/gm, "$1- ")
        .replaceAll(/^&gt;(?:&gt;)*[ \t]?/gm, "> "),
    ),
  );
}

/** What stands between < and >; undefined if it is not Slack's. */
function angle(inside: string): string | undefined {
  const [target = "", ...rest] = inside.split("|");
  const label = rest.join("|");
  if (/^[@#]/.test(target)) return escapeMarkdown(`${target[0]}${(label || target.slice(1)).replace(/^[@#]/, "")}`);
  if (target.startsWith("!")) return special(target.slice(1), label);
  if (/^mailto:|^tel:/i.test(target)) return `[${escapeMarkdown(label || target.replace(/^[a-z]+:/i, ""))}](${target})`;
  const url = webAddress(unescape(target));
  if (url === undefined) return undefined;
  const shown = url.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("&", "&amp;");
  return label === "" ? shown : `[${label.replaceAll(/[[\]]/g, String.raw`\$&`)}](${shown})`;
}

/** `!here`, `!subteam^S1|@team`, `!date^1392734382^{date}|Feb 18`: words, which call nobody. */
function special(name: string, label: string): string {
  const [kind = ""] = name.split("^");
  if (/^(?:here|channel|everyone)$/.test(kind)) return `@${kind}`;
  return escapeMarkdown(label || name);
}

/** The same as plain words. */
function plainAngles(text: string): string {
  return text.replaceAll(/<([^<>\n]{1,3000})>/g, (whole, inside: string) => {
    const [target = "", label] = inside.split("|");
    return /^(?:[@#!]|https?:|mailto:|tel:)/i.test(target) ? (label ?? target.replace(/^!/, "@")) : whole;
  });
}

/** Slack escapes these three signs and no others. */
function unescape(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function withEmoji(text: string): string {
  return text.replaceAll(
    /:([a-z0-9_+'-]{1,60}):(?::skin-tone-[2-6]:)?/g,
    (code, name: string) => emojiOf(name) ?? code,
  );
}
