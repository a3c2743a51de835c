import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "../../../db/columns.ts";
import { users } from "../../users/tables.ts";

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** SHA-256 of the secret in hexadecimal; the secret itself is shown once and not stored. */
    hash: text("hash").notNull().unique(),
    /** The secret's last four characters, to tell keys apart. */
    hint: text("hint").notNull().default(""),
    createdAt: createdAt(),
    /** What a key of a service account can call, as in API_KEYS_ALLOWED_ENDPOINTS; null for everything. */
    allowedEndpoints: text("allowed_endpoints"),
    /** Epoch seconds from which on it is refused; null for never. Of imported keys, and those of service accounts. */
    expiresAt: integer("expires_at"),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [index("api_keys_user").on(table.userId)],
);
