import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How many wrong passwords of late, for each bucket (an address hash with what is known of the client). */
export const signInFailures = sqliteTable(
  "sign_in_failures",
  {
    bucket: text("bucket").primaryKey(),
    /** Leaks with time: what it is now follows from `updated_at`. */
    level: real("level").notNull(),
    /** Epoch seconds. */
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("sign_in_failures_updated_at").on(table.updatedAt)],
);
