import { newId } from "../../lib/id.ts";
import { readMessage, type MessageChange } from "./read-stored-message.ts";
import type { ChatDocument } from "./schema.ts";

/**
 * The messages of a chat document: from its `history`, or else from the flat list `messages`, in which each message
 * follows the previous one. Messages without an id get one.
 */
export function readHistory(document: ChatDocument): MessageChange[] {
  if (document.history?.messages) {
    return Object.entries(document.history.messages).map(([id, message]) => readMessage(id, message));
  }
  if (document.history) return [];
  let before: string | null = null;
  return (document.messages ?? []).map((message) => {
    const change = readMessage(message.id ?? newId(), message);
    if (change.parentId === undefined) change.parentId = before;
    before = change.id;
    return change;
  });
}
