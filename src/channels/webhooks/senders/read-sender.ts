import { alertmanager } from "./alertmanager.ts";
import { discord } from "./discord.ts";
import { grafana } from "./grafana.ts";
import type { JsonRecord, Sender } from "./sender-post.ts";
import { slack } from "./slack.ts";
import { titleMessage } from "./title-message.ts";
import { uptimeKuma } from "./uptime-kuma.ts";

/** In this order: what is more particular comes first. */
const senders: readonly Sender[] = [alertmanager, grafana, uptimeKuma, discord, titleMessage, slack];

/** Whose form a body has; undefined for the service's own, and for those of nobody. */
export function senderOf(body: JsonRecord): Sender | undefined {
  // With a text and nothing that is another's, `content` is the service's own.
  return senders.find((sender) => (sender === discord || !isOwn(body)) && sender.recognize(body));
}

function isOwn(body: JsonRecord): boolean {
  return body["content"] !== undefined;
}
