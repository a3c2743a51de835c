import type { CardLink, CardState } from "../../cards/schema.ts";
import { numberAt, partOf, recordsOf, textAt, valueAt } from "./json-fields.ts";
import type { JsonRecord, Sender } from "./sender-post.ts";

/** As Apprise calls them, and others too. */
const states: Readonly<Record<string, CardState>> = {
  info: { kind: "info", word: "Info" },
  success: { kind: "good", word: "Success" },
  ok: { kind: "good", word: "OK" },
  warning: { kind: "warn", word: "Warning" },
  warn: { kind: "warn", word: "Warning" },
  failure: { kind: "bad", word: "Failure" },
  failed: { kind: "bad", word: "Failed" },
  error: { kind: "bad", word: "Error" },
  critical: { kind: "bad", word: "Critical" },
  alerting: { kind: "bad", word: "Alerting" },
};

/**
 * A title with a message, as many small programs send them: Gotify, ntfy, Apprise, Pushover, Proxmox VE.
 * https://gotify.net/docs/pushmsg, https://docs.ntfy.sh/publish/#publish-as-json, https://github.com/caronc/apprise/wiki/Notify_Custom_JSON
 */
export const titleMessage: Sender = {
  name: "Title and message",
  recognize: (body) =>
    typeof body["message"] === "string" || (typeof body["title"] === "string" && saidIn(body) !== undefined),
  read(body) {
    const title = textAt(body, "title") ?? textAt(body, "subject");
    const text = saidIn(body);
    const state = stateOf(body);
    const links = linksOf(body);
    if (title === undefined && state === undefined && links.length === 0)
      return { card: { parts: [], ...(text === undefined ? {} : { lead: text }) } };
    const url = textAt(body, "click") ?? textAt(valueAt(body, "extras"), "client::notification", "click", "url");
    return { card: { parts: [partOf({ title, url, text, state, links })] } };
  },
};

function saidIn(body: JsonRecord): string | undefined {
  return ["message", "body", "description", "text"].map((name) => textAt(body, name)).find(Boolean);
}

function stateOf(body: JsonRecord): CardState | undefined {
  const word = ["type", "severity", "level", "state"]
    .map((name) => textAt(body, name)?.toLowerCase() ?? "")
    .find((each) => Object.hasOwn(states, each));
  if (word !== undefined) return states[word];
  // Gotify counts to ten, ntfy to five: only ntfy has topics.
  const priority = numberAt(body, "priority");
  const urgent = typeof body["topic"] === "string" ? 5 : 8;
  return priority !== undefined && priority >= urgent ? { kind: "warn", word: "Urgent" } : undefined;
}

function linksOf(body: JsonRecord): CardLink[] {
  const url = textAt(body, "url");
  return [
    ...(url === undefined ? [] : [{ label: textAt(body, "url_title") ?? "Open", url }]),
    ...recordsOf(body["actions"]).flatMap((action) => {
      const address = textAt(action, "url");
      return address === undefined || textAt(action, "action") === "http"
        ? []
        : [{ label: textAt(action, "label") ?? address, url: address }];
    }),
  ];
}
