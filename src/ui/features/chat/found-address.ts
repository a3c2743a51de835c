import type { FoundChat } from "./chats-api.ts";

/** Address of a chat that was found, at the message that was found in it. */
export function foundAddress(chat: Pick<FoundChat, "id"> & Partial<Pick<FoundChat, "message_id">>): string {
  return chat.message_id ? `/c/${chat.id}?message=${encodeURIComponent(chat.message_id)}` : `/c/${chat.id}`;
}

/** Id of the message at which the address opens the chat. */
export function messageInView(search: URLSearchParams): string | undefined {
  return search.get("message") || undefined;
}
