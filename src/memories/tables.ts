import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, updatedAt } from "../db/columns.ts";
import { users } from "../people/users/tables.ts";

/** What a person wants models to remember about them. */
export const memories = sqliteTable(
  "memories",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    content: text("content").notNull(),
    /** `user`: about the person, models always get it. `context`: they get it where it fits the question. */
    type: text("type", { enum: ["user", "context"] })
      .notNull()
      .default("context"),
    /** What it belongs to, as `work/parley`; null for nothing. */
    path: text("path"),
    /** Who wrote it: the person, or a model with its tool. */
    source: text("source", { enum: ["person", "model"] }).notNull(),
    /** The chat in which a model wrote it; it stays when the chat goes. */
    chatId: text("chat_id"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("memories_user").on(table.userId, table.updatedAt, table.id)],
);

/** Their vectors, one in each embedding space that they have been embedded for; a changed memory has none until it is embedded again. */
export const memoryVectors = sqliteTable(
  "memory_vectors",
  {
    memoryId: text("memory_id")
      .notNull()
      .references(() => memories.id, { onDelete: "cascade" }),
    spaceId: integer("space_id").notNull(),
    /** libSQL's FLOAT8, as `vector8` makes it. */
    vector: blob("vector").notNull(),
  },
  (table) => [primaryKey({ columns: [table.memoryId, table.spaceId] })],
);
