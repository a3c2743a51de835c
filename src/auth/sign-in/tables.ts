import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Wrong passwords of late, for each bucket (an address hash with what is known of the client). */
export const signInFailures = sqliteTable(
  "sign_in_failures",
  {
    bucket: text("bucket").primaryKey(),
    failures: integer("failures").notNull(),
    /** Epoch seconds with fractions: when the next check is allowed without having to wait. */
    retryAt: real("retry_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("sign_in_failures_updated_at").on(table.updatedAt)],
);
