import type { ChannelEvent } from "../../channels/schema.ts";
import { chatList } from "../features/chat/chat-list.svelte.ts";
import { readQuestion } from "../features/chat/questions/question.ts";
import { speakable } from "../features/chat/speakable.ts";
import { at, insidePath } from "../lib/base-path.ts";
import { browserNotifications } from "../lib/browser-notifications.svelte.ts";
import { live } from "../lib/live/live.svelte.ts";
import { router } from "../lib/router.svelte.ts";
import { session } from "../lib/session.svelte.ts";
import { installedTexts as texts } from "./installed-texts.ts";

let started = false;

/** Makes the page an app that can be installed, and tells the person what happens while they do not look. Loaded after everything else. */
export function startInstalledApp(): void {
  if (started || session.person === undefined) return;
  started = true;
  browserNotifications.open(session.person.id);
  if (!("serviceWorker" in navigator)) return;
  // Without it the page works all the same.
  void navigator.serviceWorker.register(at("/sw.js"), { scope: at("/") }).catch(() => undefined);
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ type?: string; url?: string }>) => {
    const url = data.type === "open" && data.url !== undefined ? URL.parse(data.url) : null;
    const path = url?.origin === location.origin ? insidePath(url.pathname) : undefined;
    if (path !== undefined) void router.navigate(path + (url?.search ?? ""));
  });
  live.onEvent((event, { run }) => {
    if (run && event.chat_id)
      browserNotifications.tell("answers", {
        title: chatList.find(event.chat_id)?.title || texts.answered,
        body: speakable(run.content),
        tag: `answer-${event.message_id ?? ""}`,
        path: `/c/${event.chat_id}`,
      });
    const question = readQuestion(event);
    if (question)
      browserNotifications.tell("questions", {
        title: texts.question,
        body: question.title,
        tag: `question-${question.id}`,
        path: question.chatId === undefined ? "/" : `/c/${question.chatId}`,
      });
    if (event.channel_id !== undefined) void tellMention(event.channel_id, event.data as ChannelEvent);
  });
}

async function tellMention(channelId: string, event: ChannelEvent): Promise<void> {
  if (event.type !== "channel:message") return;
  const { message } = event.data;
  const own = session.person?.id ?? "";
  if (message.user_id === own || !message.content.includes(`<@U:${own}`)) return;
  const { plainText } = await import("../features/channels/messages/plain-text.ts");
  browserNotifications.tell("mentions", {
    title: texts.mentioned(message.user.name),
    body: plainText(message.content),
    tag: `mention-${message.id}`,
    path: `/channels/${channelId}${message.parent_id === null ? "" : `?thread=${message.parent_id}`}`,
  });
}
