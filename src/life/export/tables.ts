import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id } from "../../db/columns.ts";
import { users } from "../../people/users/tables.ts";

/** Exports that were begun: what each may read. The audit log has them for good. */
export const dataExports = sqliteTable(
  "data_exports",
  {
    id: id(),
    /** Who began it, and nobody else reads. */
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Whose data it is; null for that of the whole service. */
    personId: text("person_id").references(() => users.id, { onDelete: "cascade" }),
    withSecrets: flag("with_secrets").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("data_exports_user").on(table.userId),
    index("data_exports_person").on(table.personId),
    index("data_exports_created").on(table.createdAt),
  ],
);
