import { explainError } from "../../../components/explain-error.ts";
import { toApiError } from "../../../lib/api-error.ts";
import { toasts } from "../../../lib/toasts.svelte.ts";
import { chatsApi } from "../chats-api.ts";
import { models } from "../models.svelte.ts";
import type { OpenChat } from "../open-chat.svelte.ts";
import { texts } from "../texts.ts";

/** Has the messages before the last question summarized, and says how that went. Never rejects. */
export async function shortenChat(chat: OpenChat): Promise<void> {
  const { id } = chat;
  if (id === undefined) return;
  toasts.show(texts.context.shortening);
  try {
    const { compacted } = await chatsApi.compact(id, models.current?.id);
    toasts.show(compacted ? texts.context.shortened : texts.context.tooShort);
    if (compacted && chat.id === id) await chat.reload();
  } catch (cause) {
    toasts.show(texts.context.shortenFailed(explainError(toApiError(cause))), { kind: "danger" });
  }
}
