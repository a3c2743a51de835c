import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, json, updatedAt } from "../../db/columns.ts";
import { users } from "../../people/users/tables.ts";
import { chats } from "../../stored-chats/tables.ts";

/** Snapshots of shared chats; their readers are in the grants. */
export const chatShares = sqliteTable(
  "chat_shares",
  {
    id: id(),
    chatId: text("chat_id")
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The owner's organization when it was shared: grants to people and groups apply within it. */
    organizationId: text("organization_id").notNull(),
    title: text("title").notNull(),
    createdAt: createdAt(),
    /** The moment of the snapshot. */
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("chat_shares_chat").on(table.chatId),
    index("chat_shares_user").on(table.userId, table.updatedAt, table.id),
  ],
);

/** The shared branch, a row for each message, root first. */
export const sharedMessages = sqliteTable(
  "shared_messages",
  {
    shareId: text("share_id")
      .notNull()
      .references(() => chatShares.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    id: text("id").notNull(),
    role: text("role").notNull(),
    content: text("content").notNull(),
    parts: json<Record<string, unknown>[]>("parts"),
    model: text("model"),
    /** Names of attached files and sources: their content cannot be read through the link. */
    files: json<string[]>("files").notNull(),
    sources: json<{ number: number; name: string }[]>("sources").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.shareId, table.position] })],
);
