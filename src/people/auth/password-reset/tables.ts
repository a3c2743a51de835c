import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "../../../db/columns.ts";
import { users } from "../../users/tables.ts";

/** Links that set a new password. A row is gone when its link was used; then all others of the person are gone too. */
export const passwordResets = sqliteTable(
  "password_resets",
  {
    id: id(),
    /** SHA-256 of the link's token. */
    tokenHash: text("token_hash").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** How the link came to be: the person asked for an e-mail, or it was made for them. */
    way: text("way", { enum: ["mail", "administrator", "operator"] }).notNull(),
    /** The administrator who made it; null for the other ways. */
    createdBy: text("created_by").references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    /** Epoch seconds. */
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("password_resets_token").on(table.tokenHash),
    index("password_resets_user").on(table.userId, table.createdAt),
    index("password_resets_created_by").on(table.createdBy),
    index("password_resets_expires_at").on(table.expiresAt),
  ],
);
