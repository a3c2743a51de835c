import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, json, updatedAt } from "../db/columns.ts";
import { users } from "../people/users/tables.ts";

/** What people say about answers. */
export const feedback = sqliteTable(
  "feedback",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The person's home when they said it. */
    organizationId: text("organization_id").notNull(),
    type: text("type").notNull(),
    /** 1 for good, -1 for bad; null where they did not say. */
    rating: integer("rating"),
    modelId: text("model_id"),
    /** The person's own message; it stays when the chat goes. */
    chatId: text("chat_id"),
    messageId: text("message_id"),
    /** The rating with its reason, as clients of Open WebUI store it. */
    data: json<Record<string, unknown>>("data").notNull(),
    meta: json<Record<string, unknown>>("meta").notNull(),
    /** The conversation up to the answer, where its owner allows administrators to read it. */
    snapshot: json<Record<string, unknown>>("snapshot"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // One for each answer and person, whoever sends it twice.
    uniqueIndex("feedback_message")
      .on(table.userId, table.chatId, table.messageId)
      .where(sql`message_id IS NOT NULL`),
    index("feedback_user").on(table.userId, table.updatedAt, table.id),
    index("feedback_updated").on(table.updatedAt, table.id),
    index("feedback_model").on(table.modelId, table.createdAt),
    index("feedback_created").on(table.createdAt),
  ],
);
