import type { ChannelEvent } from "../../../channels/schema.ts";
import { live } from "../../lib/live/live.svelte.ts";
import { session } from "../../lib/session.svelte.ts";
import { isBy } from "./count-unread.ts";
import { plainText } from "./messages/plain-text.ts";
import { texts } from "./texts.ts";

/** How long messages are gathered before they are said (ms): a busy channel must not talk without a pause. */
const gather = 2500;

/**
 * Says what others write in a channel in view: one message as it is, several as their number. For screen readers; the list
 * itself is silent. Returns the way to stop it.
 */
export function announceMessages(channelId: () => string, say: (text: string) => void): () => void {
  let heard: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    const [only] = heard;
    if (only !== undefined) say(heard.length === 1 ? only : texts.page.manySaid(heard.length));
    heard = [];
  };
  const stop = live.onEvent(({ channel_id: id, data }) => {
    const event = data as ChannelEvent;
    if (id !== channelId() || event.type !== "channel:message" || document.visibilityState !== "visible") return;
    const { message } = event.data;
    if (isBy(message, session.person?.id ?? "")) return;
    heard.push(texts.page.said(message.user.name, plainText(message.content)));
    timer ??= setTimeout(flush, gather);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
