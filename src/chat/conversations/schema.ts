import * as z from "zod";
import { folderName } from "../folders/schema.ts";

/** Message ids are created by clients: any short text without spaces or control characters. */
export const messageId = z.string().regex(/^[\x21-\x7e]{1,100}$/, "must be 1 to 100 visible characters");

/** Chat-completions parts (text, pictures and so on), or plain text. */
export const messageContent = z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]);

/** A message as clients of the chats API store it; all other keys are stored unchanged. */
export const storedMessage = z.looseObject({
  id: messageId.nullish(),
  parentId: messageId.nullish(),
  childrenIds: z.array(messageId).nullish(),
  role: z.string().min(1).max(40).optional(),
  content: messageContent.optional(),
  reasoning: z.string().optional(),
  /** Epoch seconds. */
  timestamp: z.number().optional(),
  model: z.string().max(256).nullish(),
  done: z.boolean().nullish(),
  state: z.string().nullish(),
  error: z.unknown().optional(),
  usage: z.record(z.string(), z.unknown()).nullish(),
});
export type StoredMessage = z.infer<typeof storedMessage>;

/** Open WebUI's `chat` document: complete or any part of it. */
export const chatDocument = z.looseObject({
  title: z.string().max(1000).nullish(),
  models: z.array(z.string().max(256)).max(50).nullish(),
  params: z.record(z.string(), z.unknown()).nullish(),
  history: z
    .looseObject({
      currentId: messageId.nullish(),
      messages: z.record(messageId, storedMessage).optional(),
    })
    .nullish(),
  /** The current branch as a flat list; used only without `history`. */
  messages: z.array(storedMessage).nullish(),
  tags: z.array(z.unknown()).nullish(),
});
export type ChatDocument = z.infer<typeof chatDocument>;

export const newChatBody = z.looseObject({
  chat: chatDocument,
  variables: z.record(z.string(), z.unknown()).nullish(),
  folder_id: z.string().max(100).nullish(),
});

export const saveChatBody = z.looseObject({
  chat: chatDocument,
  /** Moves the chat; null takes it out of its folder. */
  folder_id: z.string().max(100).nullish(),
});

/** One chat of an export: a whole row, or only its document. */
export const importedChat = z.looseObject({
  chat: chatDocument,
  title: z.string().max(1000).nullish(),
  meta: z.record(z.string(), z.unknown()).nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  pinned: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  folder_id: z.string().max(100).nullish(),
  /** The names of the folders that it is in, the outermost first. */
  folder_path: z.array(folderName).max(100).nullish(),
  created_at: z.number().nullish(),
  updated_at: z.number().nullish(),
});
export type ImportedChat = z.infer<typeof importedChat>;

/** An export as returned by `GET /all`, `{chats: [...]}`, or one chat. */
export const importBody = z.union([
  z.array(importedChat).max(10_000),
  z.looseObject({ chats: z.array(importedChat).max(10_000) }),
  importedChat,
]);

export const chatSummary = z.object({
  id: z.string(),
  title: z.string(),
  updated_at: z.number(),
  created_at: z.number(),
  last_read_at: z.number().nullable(),
  pinned: z.boolean(),
  archived: z.boolean(),
  folder_id: z.string().nullable(),
  /** The names of its tags. */
  tags: z.array(z.string()),
});
export type ChatSummary = z.infer<typeof chatSummary>;

/** A found chat; `snippet` is the text around the match, `message_id` its message (null: the title). */
export const foundChat = chatSummary.extend({ snippet: z.string(), message_id: z.string().nullable() });
export type FoundChat = z.infer<typeof foundChat>;

/** A message in responses; other keys that clients stored are returned too. */
export const wireMessage = z.looseObject({
  id: z.string(),
  parentId: z.string().nullable(),
  childrenIds: z.array(z.string()),
  role: z.string(),
  content: messageContent,
  timestamp: z.number(),
  done: z.boolean(),
  state: z.enum(["streaming", "done", "stopped", "interrupted", "error"]),
});
export type WireMessage = z.infer<typeof wireMessage>;

export const chatResponse = z.object({
  id: z.string(),
  user_id: z.string(),
  title: z.string(),
  chat: z.looseObject({
    title: z.string(),
    models: z.array(z.string()),
    params: z.record(z.string(), z.unknown()),
    history: z.object({ currentId: z.string().nullable(), messages: z.record(z.string(), wireMessage) }),
    messages: z.array(wireMessage),
    tags: z.array(z.string()),
    files: z.array(z.unknown()),
  }),
  updated_at: z.number(),
  created_at: z.number(),
  share_id: z.string().nullable(),
  archived: z.boolean(),
  pinned: z.boolean(),
  meta: z.record(z.string(), z.unknown()),
  variables: z.record(z.string(), z.unknown()),
  folder_id: z.string().nullable(),
  /** In exports, of chats in folders: the names of these, the outermost first. */
  folder_path: z.array(z.string()).optional(),
  tasks: z.null(),
  summary: z.null(),
  current_message_id: z.string().nullable(),
  last_read_at: z.number().nullable(),
});
export type ChatResponse = z.infer<typeof chatResponse>;

/** A tag as in Open WebUI: `id` is the name in lower case with `_` for spaces. */
export const tag = z.object({ id: z.string(), name: z.string(), user_id: z.string(), meta: z.null() });
export type Tag = z.infer<typeof tag>;

export const countedTag = tag.extend({ count: z.number().int() });
export type CountedTag = z.infer<typeof countedTag>;

export const tagBody = z.looseObject({ name: z.string().trim().min(1).max(100) });
/** Which chats with a tag: by pages, or as Open WebUI's clients ask for them. */
export const taggedBody = z.object({
  name: z.string().trim().min(1).max(100),
  page: z.number().int().min(1).max(100_000).optional(),
  skip: z.number().int().min(0).max(1_000_000).optional(),
  limit: z.number().int().min(1).max(5000).optional(),
});
export const cloneBody = z.looseObject({ title: z.string().max(1000).nullish() });
export const forkBody = z.looseObject({ message_id: messageId.nullish(), title: z.string().max(1000).nullish() });
export const editMessageBody = z.looseObject({ content: z.string() });
