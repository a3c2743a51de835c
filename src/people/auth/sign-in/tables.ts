import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "../../users/tables.ts";

/** Recent wrong passwords per bucket (an address hash with what is known of the client). */
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

/** Networks from which people have signed in: few for each, and only for a time. */
export const signInNetworks = sqliteTable(
  "sign_in_networks",
  {
    /** A keyed hash of e-mail address and network: the rows of two people show no common network. */
    fingerprint: text("fingerprint").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Epoch seconds. */
    usedAt: integer("used_at").notNull(),
  },
  (table) => [
    index("sign_in_networks_user").on(table.userId, table.usedAt),
    index("sign_in_networks_used_at").on(table.usedAt),
  ],
);
