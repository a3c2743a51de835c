import type { Services } from "../../context.ts";
import type { ChannelMessage } from "../schema.ts";
import { tellChannel, type ToldChannel } from "../tell-channel.ts";

/** What tabs are told of: `message` as everybody sees it (`messageView` for null). */
export type Announced =
  | { what: "posted" | "updated"; message: ChannelMessage }
  | { what: "reacted"; message: ChannelMessage; reaction: { name: string; user_id: string; added: boolean } }
  | { what: "deleted"; message: ChannelMessage };

/**
 * Tells the channel what has become of messages, in this order; after the transaction. A deleted one is told as such; what is left
 * of it goes along only where answers are below it.
 */
export function announce(
  services: Pick<Services, "channels" | "waitUntil">,
  channel: ToldChannel,
  news: readonly Announced[],
): void {
  for (const told of news) {
    const { message } = told;
    if (told.what === "posted") tellChannel(services, channel, { type: "channel:message", data: { message } });
    else if (told.what === "deleted") {
      const left = message.reply_count > 0 ? { message } : {};
      const data = { id: message.id, seq: message.seq, ...left };
      tellChannel(services, channel, { type: "channel:message:delete", data });
    } else {
      const data = told.what === "reacted" ? { message, reaction: told.reaction } : { message };
      tellChannel(services, channel, { type: "channel:message:update", data });
    }
  }
}
