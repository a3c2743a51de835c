import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json } from "../../db/columns.ts";
import { users } from "../../people/users/tables.ts";

/**
 * Responses of the Responses API, stored so that callers can continue from them or read them again: `resp_` and a
 * UUIDv7. Each holds only its own turn; earlier turns are found through `previousId`.
 */
export const storedResponses = sqliteTable(
  "stored_responses",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The response that this one continued; it may have been deleted. */
    previousId: text("previous_id"),
    /** The response as it was sent, without its output if that is in object storage. */
    response: json<Record<string, unknown>>("response").notNull(),
    /** The items of this turn's input; null where they are in object storage. */
    input: json<Record<string, unknown>[]>("input"),
    /** Input and output are in object storage: they are larger than a row should be. A trigger knows the key too. */
    isLarge: flag("is_large").notNull(),
    /** Length of input and output together, in UTF-16 units of JSON. */
    size: integer("size").notNull(),
    createdAt: createdAt(),
    /** Epoch seconds; gone then. */
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("stored_responses_user").on(table.userId),
    index("stored_responses_expires_at").on(table.expiresAt),
  ],
);
