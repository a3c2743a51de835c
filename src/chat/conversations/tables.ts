import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";
import { users } from "../../identity/users/tables.ts";

export const chats = sqliteTable(
  "chats",
  {
    id: id(),
    userId: text("user_id").notNull().references(() => users.id, { onDelete: "cascade" }),
    organizationId: text("organization_id").notNull(),
    title: text("title").notNull(),
    /** Whether a person chose the title: then no model writes over it. */
    titleChosen: flag("title_chosen").notNull().default(false),
    models: json<string[]>("models").notNull(),
    params: json<Record<string, unknown>>("params").notNull(),
    meta: json<Record<string, unknown>>("meta").notNull(),
    variables: json<Record<string, unknown>>("variables").notNull(),
    currentMessageId: text("current_message_id"),
    pinned: flag("pinned").notNull().default(false),
    archived: flag("archived").notNull().default(false),
    folderId: text("folder_id"),
    shareId: text("share_id"),
    lastReadAt: integer("last_read_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("chats_user_updated").on(table.userId, table.archived, table.updatedAt, table.id), index("chats_user_pinned").on(table.userId).where(sql`pinned = 1`)],
);

export const messages = sqliteTable(
  "messages",
  {
    chatId: text("chat_id").notNull().references(() => chats.id, { onDelete: "cascade" }),
    /** Given by the client; unique within its chat. */
    id: text("id").notNull(),
    parentId: text("parent_id"),
    role: text("role").notNull(),
    content: text("content").notNull(),
    reasoning: text("reasoning").notNull().default(""),
    model: text("model"),
    state: text("state", { enum: ["streaming", "done", "stopped", "interrupted", "error"] }).notNull().default("done"),
    error: json<{ message: string; code: string }>("error"),
    usage: json<Record<string, unknown>>("usage"),
    /** What else clients keep with a message: files, sources, statusHistory and so on, one key each. */
    extra: json<Record<string, unknown>>("extra").notNull(),
    /** The run that writes it, so that a late writer of an older run cannot. */
    runId: text("run_id"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.chatId, table.id] }),
    foreignKey({ columns: [table.chatId, table.parentId], foreignColumns: [table.chatId, table.id] }).onDelete("cascade"),
    index("messages_parent").on(table.chatId, table.parentId),
    index("messages_streaming").on(table.updatedAt).where(sql`state = 'streaming'`),
  ],
);

export const chatTags = sqliteTable(
  "chat_tags",
  {
    chatId: text("chat_id").notNull().references(() => chats.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.name] }), index("chat_tags_name").on(table.name)],
);
