import type { ImportedChat } from "../conversations/schema.ts";

/** A chat of an export that can be stored, and what of it could not be taken along. */
export interface ReadChat {
  chat: ImportedChat;
  messagesLeftOut: number;
  filesLeftOut: number;
  inFolder: boolean;
}

/** What an entry of an export is: a chat, or why it is none. */
export type Exported = ReadChat | { reason: string; title: string };
