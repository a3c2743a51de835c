import { isRecord } from "../lib/json.ts";
import type { WebhookShape } from "./schema.ts";

/** Longest text that Discord takes, in UTF-16 units (https://discord.com/developers/docs/resources/webhook#execute-webhook). */
const maxDiscordLength = 2000;

/** Hosts that want a shape of their own, with the beginning of their paths. Whole hosts, or whole domains where a dot begins them. */
const known: readonly { shape: WebhookShape; host: string; path?: string }[] = [
  { shape: "slack", host: "hooks.slack.com" },
  { shape: "slack", host: "hooks.slack-gov.com" },
  { shape: "discord", host: "discord.com", path: "/api/" },
  { shape: "discord", host: "ptb.discord.com", path: "/api/" },
  { shape: "discord", host: "canary.discord.com", path: "/api/" },
  { shape: "discord", host: "discordapp.com", path: "/api/" },
  { shape: "teams", host: ".webhook.office.com" },
  { shape: "teams", host: ".logic.azure.com", path: "/workflows/" },
  { shape: "teams", host: ".api.powerplatform.com", path: "/powerautomate/" },
  { shape: "google_chat", host: "chat.googleapis.com", path: "/v1/spaces/" },
];

/** In which form the receiver at the address gets what happened. What merely looks like another's host is a generic one. */
export function shapeOf(url: string): WebhookShape {
  if (!URL.canParse(url)) return "generic";
  const { hostname, pathname } = new URL(url);
  const found = known.find(
    ({ host, path = "/" }) =>
      (host.startsWith(".") ? hostname.endsWith(host) : hostname === host) && pathname.startsWith(path),
  );
  return found?.shape ?? "generic";
}

/** The body as it is sent: the contract's, or the same said in a text to people. */
export function renderBody(shape: WebhookShape, payload: Record<string, unknown>): string {
  return JSON.stringify(shape === "generic" ? payload : renderers[shape](payload));
}

const renderers: Readonly<Record<Exclude<WebhookShape, "generic">, (payload: Record<string, unknown>) => unknown>> = {
  // https://docs.slack.dev/messaging/formatting-message-text#escaping: or names could call everybody.
  slack: (payload) => ({ text: joined(said(payload), escapeSlack) }),
  discord: (payload) => ({ content: shortened(joined(said(payload))), allowed_mentions: { parse: [] } }),
  // <users/all> calls everybody; there is no escape, so that a blank stands in between.
  google_chat: (payload) => ({ text: joined(said(payload), (text) => text.replaceAll("<", "< ")) }),
  // An adaptive card, which both connectors and workflows take. What is not Teams behind such a workflow finds the event beside it.
  teams: (payload) => ({
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card(payload) }],
    ...payload,
  }),
};

/** What happened, for people: a line, and more below it. */
interface Said {
  title: string;
  text: string;
}

function said(payload: Record<string, unknown>): Said {
  const { user, chat } = payload;
  if (isRecord(user)) return { title: "New user", text: `${textOf(user.name)} (${textOf(user.email)})` };
  if (isRecord(chat)) return { title: `Finished: ${textOf(chat.title)}`, text: textOf(chat.last_message) };
  return { title: "Test", text: textOf(payload.message) };
}

function joined({ title, text }: Said, escape: (text: string) => string = (same) => same): string {
  return escape(text === "" ? title : `${title}\n${text}`);
}

function card(payload: Record<string, unknown>) {
  const { title, text } = said(payload);
  return {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    // Runs of text are shown as they are: names cannot bring links along.
    body: [title, text].map((each, at) => ({
      type: "RichTextBlock",
      inlines: [{ type: "TextRun", text: each, ...(at === 0 ? { weight: "Bolder" } : {}) }],
    })),
  };
}

function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function shortened(text: string): string {
  if (text.length <= maxDiscordLength) return text;
  return `${text.slice(0, maxDiscordLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
