import type { ImportedChat } from "../conversations/schema.ts";

/** A chat of an export that can be stored, and what was left out of it. */
export interface ReadChat {
  chat: ImportedChat;
  messagesLeftOut: number;
  filesLeftOut: number;
  inFolder: boolean;
}

/** An entry of an export: a chat, or the reason why it is not one. */
export type Exported = ReadChat | { reason: string; title: string };
