import { nowSeconds } from "../../lib/now-seconds.ts";
import { router } from "../../lib/router.svelte.ts";
import { chatList } from "./chat-list.svelte.ts";
import { chatsApi } from "./chats-api.ts";
import { changeMessage, type Message, showBranch } from "./message-tree.ts";
import type { OpenChat } from "./open-chat.svelte.ts";
import { texts } from "./texts.ts";

/** Gives an answer another text; the model's own is kept with it, until the text is that again. Rejects when it failed. */
export async function editAnswer(chat: OpenChat, message: Message, text: string): Promise<void> {
  if (chat.id !== undefined) await chatsApi.editMessage(chat.id, message.id, text);
  const original = message.edited?.original ?? message.content;
  const edited = text === original ? undefined : { original, at: nowSeconds() };
  chat.history = changeMessage(chat.history, message.id, { content: text, edited });
}

/** Shows the branch with a message, for this visit only. */
export function reveal(chat: OpenChat, id: string): void {
  const isShown = chat.path.some((message) => message.id === id);
  if (!isShown && chat.history.messages[id]) chat.history = showBranch(chat.history, id);
}

/** Changes the summary that models get of what stands before a message; null takes it back. Rejects when it failed. */
export async function changeSummary(chat: OpenChat, message: Message, summary: string | null): Promise<void> {
  if (chat.id === undefined) return;
  await chatsApi.saveSummary(chat.id, message.id, summary);
  chat.history = changeMessage(chat.history, message.id, { summary: summary ?? undefined });
}

/** Opens a new chat with the branch up to a message. Rejects when it failed. @returns its title */
export async function forkChat(chat: OpenChat, chatId: string, messageId: string): Promise<string> {
  const { id, title } = await chatsApi.fork(chatId, messageId, texts.fork.title(chat.title).slice(0, 1000));
  void chatList.reload();
  await router.navigate(`/c/${id}`);
  return title;
}
