import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, json, updatedAt } from "../db/columns.ts";
import { users } from "../people/users/tables.ts";

/** The state of a message. Only a run makes a message `streaming`; the other states are final. */
export const messageStates = ["streaming", "done", "stopped", "interrupted", "error"] as const;

export const chats = sqliteTable(
  "chats",
  {
    /** Referenced by the search index; never shown. */
    number: integer("number").primaryKey(),
    id: text("id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    organizationId: text("organization_id").notNull(),
    title: text("title").notNull(),
    /** Whether a person chose the title: generated titles do not replace it. */
    titleChosen: flag("title_chosen").notNull().default(false),
    models: json<string[]>("models").notNull(),
    params: json<Record<string, unknown>>("params").notNull(),
    meta: json<Record<string, unknown>>("meta").notNull(),
    variables: json<Record<string, unknown>>("variables").notNull(),
    /** Other data that clients store with a chat (files, system prompt and so on), by key. */
    extra: json<Record<string, unknown>>("extra").notNull(),
    currentMessageId: text("current_message_id"),
    pinned: flag("pinned").notNull().default(false),
    archived: flag("archived").notNull().default(false),
    /** The folder that it is in, which its owner can read (src/chat/folders). */
    folderId: text("folder_id"),
    shareId: text("share_id"),
    lastReadAt: integer("last_read_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("chats_id").on(table.id),
    index("chats_user_updated").on(table.userId, table.archived, table.updatedAt, table.id),
    index("chats_user_pinned")
      .on(table.userId)
      .where(sql`pinned = 1`),
    index("chats_folder")
      .on(table.folderId, table.updatedAt, table.id)
      .where(sql`folder_id IS NOT NULL`),
  ],
);

export const messages = sqliteTable(
  "messages",
  {
    /** Order of insertion, which is the order of siblings; referenced by the search index. */
    number: integer("number").primaryKey(),
    chatId: text("chat_id")
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    /** Owner of the chat: the search index is queried for one person's texts only. */
    userId: text("user_id").notNull(),
    /** Given by the client; unique within its chat. */
    id: text("id").notNull(),
    parentId: text("parent_id"),
    role: text("role").notNull(),
    content: text("content").notNull(),
    /** Content that is more than text, as chat-completions parts; `content` then has the text of it. */
    parts: json<Record<string, unknown>[]>("parts"),
    reasoning: text("reasoning").notNull().default(""),
    model: text("model"),
    state: text("state", { enum: messageStates }).notNull().default("done"),
    error: json<{ message: string; code: string }>("error"),
    usage: json<Record<string, unknown>>("usage"),
    /** Other data that clients store with a message: files, sources, statusHistory and so on, by key. */
    extra: json<Record<string, unknown>>("extra").notNull(),
    /** The last run that wrote it, so that a late write of an older run is rejected. */
    runId: text("run_id"),
    /** How many steps that run has stored, so that a step whose confirmation was lost is not stored twice. */
    step: integer("step").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("messages_id").on(table.chatId, table.id),
    // No cascade here: a chain of a thousand messages would cascade a thousand levels deep, and SQLite stops there.
    foreignKey({ columns: [table.chatId, table.parentId], foreignColumns: [table.chatId, table.id] }),
    index("messages_parent").on(table.chatId, table.parentId),
    index("messages_streaming")
      .on(table.updatedAt)
      .where(sql`state = 'streaming'`),
  ],
);

export const chatTags = sqliteTable(
  "chat_tags",
  {
    chatId: text("chat_id")
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** Owner of the chat, so that a person's tags are found at once; a trigger fills it where a writer does not know it. */
    userId: text("user_id"),
  },
  (table) => [
    primaryKey({ columns: [table.chatId, table.name] }),
    index("chat_tags_user").on(table.userId, sql`name COLLATE NOCASE`, table.chatId),
  ],
);

/**
 * What is added to a message over time, one row each, in order; rows with the same `name` (tool calls) replace each
 * other.
 */
export const messageItems = sqliteTable(
  "message_items",
  {
    number: integer("number").primaryKey(),
    chatId: text("chat_id").notNull(),
    messageId: text("message_id").notNull(),
    kind: text("kind", { enum: ["status", "source", "file", "embed", "tool"] }).notNull(),
    /** Of tools: the id of the call; null if every row is separate. */
    name: text("name"),
    data: json<Record<string, unknown>>("data").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    foreignKey({
      columns: [table.chatId, table.messageId],
      foreignColumns: [messages.chatId, messages.id],
    }).onDelete("cascade"),
    index("message_items_message").on(table.chatId, table.messageId),
    uniqueIndex("message_items_name").on(table.chatId, table.messageId, table.kind, table.name),
  ],
);
