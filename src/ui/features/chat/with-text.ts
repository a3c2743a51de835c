import { changeMessage, type History, type Message } from "./message-tree.ts";

/** The history with what a plugin's event writes to a message; undefined for events that write nothing. */
export function withText(history: History, { id, content }: Message, type: string, text: string): History | undefined {
  if (type === "message" || type === "chat:message:delta")
    return changeMessage(history, id, { content: content + text });
  if (type === "replace" || type === "chat:message") return changeMessage(history, id, { content: text });
  return undefined;
}
