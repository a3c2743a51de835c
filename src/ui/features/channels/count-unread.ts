import type { ChannelMessage, ChannelView } from "../../../channels/schema.ts";
import { mentionedIds } from "../../../shared/mentions.ts";

/** As in channels/schema.ts, whose module holds zod: unread messages are counted up to here. */
const mostUnread = 100;

/** A channel after a message that was posted in it: counted as unread unless it is the person's own. Pure. */
export function afterMessage(channel: ChannelView, message: ChannelMessage, person: string): ChannelView {
  // An event that is told twice, or was counted by the service already, counts once.
  if (message.seq <= channel.head) return channel;
  const isOwn = isBy(message, person);
  const isUnread = !isOwn && message.parent_id === null;
  const names = !isOwn && mentionedIds(message.content, "user").includes(person);
  return {
    ...channel,
    head: message.seq,
    last_message_at: message.created_at,
    unread_count: Math.min(mostUnread, channel.unread_count + (isUnread ? 1 : 0)),
    mention_count: channel.mention_count + (names ? 1 : 0),
  };
}

/** Whether the person has written the message themselves; answers of models belong to who asked, but are not theirs. */
export function isBy(message: ChannelMessage, person: string): boolean {
  return message.user_id === person && (message.user.role === "user" || message.user.role === "admin");
}

/** Unread messages as they are shown: up to `mostUnread`, then that many and a plus. */
export function shownCount(n: number): { text: string; isMore: boolean } {
  return n >= mostUnread ? { text: `${mostUnread - 1}+`, isMore: true } : { text: String(n), isMore: false };
}

/** Whether something in the channel is for this person alone: a message that names them, or one in a direct conversation. */
export function callsFor(channel: ChannelView): boolean {
  return channel.mention_count > 0 || (channel.type === "dm" && channel.unread_count > 0);
}
