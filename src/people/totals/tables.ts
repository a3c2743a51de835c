import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "../users/tables.ts";

/**
 * How much each person has, so that limits need no counting. Triggers write it with every file, upload and chat, and
 * carry the bytes on to `storage_totals`.
 */
export const personTotals = sqliteTable(
  "person_totals",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The person's home, which the bytes count for too. */
    organizationId: text("organization_id").notNull(),
    /** Of all files. */
    bytes: integer("bytes").notNull().default(0),
    /** For uploads that are under way. */
    heldBytes: integer("held_bytes").notNull().default(0),
    files: integer("files").notNull().default(0),
    chats: integer("chats").notNull().default(0),
  },
  (table) => [
    index("person_totals_bytes").on(table.bytes, table.userId),
    index("person_totals_organization").on(table.organizationId, table.bytes, table.userId),
  ],
);

/** The same of all people of an organization, and of the whole service: `serviceTotals`. */
export const storageTotals = sqliteTable("storage_totals", {
  /** The organization's id, or `service`. */
  scope: text("scope").primaryKey(),
  bytes: integer("bytes").notNull().default(0),
  heldBytes: integer("held_bytes").notNull().default(0),
  files: integer("files").notNull().default(0),
});

/** The row of the whole service in `storage_totals`. */
export const serviceTotals = "service";
