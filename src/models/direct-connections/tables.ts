import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";
import { users } from "../../people/users/tables.ts";
import type { QuirksChange } from "../calling/schema.ts";

/**
 * People's own connections to providers. A table apart from `connections`: nothing that reads those can reach one of
 * these by accident.
 */
export const directConnections = sqliteTable(
  "direct_connections",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["openai", "anthropic"] }).notNull(),
    name: text("name").notNull(),
    baseUrl: text("base_url").notNull(),
    /** Encrypted; null for a provider without a key. */
    sealedKey: text("sealed_key"),
    prefixId: text("prefix_id").notNull().default(""),
    /** Model ids to include; empty for all. */
    modelIds: json<string[]>("model_ids").notNull(),
    /** Differences from the defaults. */
    quirks: json<QuirksChange>("quirks").notNull().default({}),
    enabled: flag("enabled").notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("direct_connections_user").on(table.userId, table.createdAt)],
);
