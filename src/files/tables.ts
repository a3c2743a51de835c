import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { chats } from "../chat/conversations/tables.ts";
import { createdAt, id } from "../db/columns.ts";
import { users } from "../identity/users/tables.ts";

/** Files that the service keeps for people; the bytes lie in object storage under `files/<id>`. */
export const files = sqliteTable(
  "files",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The chat that it was made in, and goes with; null for what belongs to none. */
    chatId: text("chat_id").references(() => chats.id, { onDelete: "cascade" }),
    filename: text("filename").notNull(),
    contentType: text("content_type").notNull(),
    /** Bytes. */
    size: integer("size").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("files_user").on(table.userId), index("files_chat").on(table.chatId)],
);
