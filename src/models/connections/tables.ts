import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";
import { organizations } from "../../people/organizations/tables.ts";
import type { PolicyChange, QuirksChange } from "../calling/schema.ts";

/** Connections that administrators created; those from the environment are not stored. */
export const connections = sqliteTable(
  "connections",
  {
    id: id(),
    kind: text("kind", { enum: ["openai", "local", "anthropic"] }).notNull(),
    name: text("name").notNull(),
    baseUrl: text("base_url").notNull(),
    /** Encrypted; null for a provider without a key. */
    sealedKey: text("sealed_key"),
    /** Encrypted JSON object of extra request headers, which often contain secrets. */
    sealedHeaders: text("sealed_headers"),
    /** The organization whose people use it; null for everyone. */
    organizationId: text("organization_id").references(() => organizations.id, { onDelete: "cascade" }),
    prefixId: text("prefix_id").notNull().default(""),
    /** Model ids to include; empty for all. */
    modelIds: json<string[]>("model_ids").notNull(),
    tags: json<string[]>("tags").notNull(),
    enabled: flag("enabled").notNull().default(true),
    /** Differences from the defaults. */
    quirks: json<QuirksChange>("quirks").notNull().default({}),
    policy: json<PolicyChange>("policy").notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("connections_created_at").on(table.createdAt),
    index("connections_organization").on(table.organizationId),
  ],
);

/** Result of the last check of a connection's model list, by connection id, also for those from the environment. */
export const connectionChecks = sqliteTable("connection_checks", {
  connectionId: text("connection_id").primaryKey(),
  ok: flag("ok").notNull(),
  /** A `failureReason`, and a message for people; null if the list was received. */
  reason: text("reason"),
  error: text("error"),
  modelCount: integer("model_count").notNull(),
  latencyMs: integer("latency_ms").notNull(),
  checkedAt: integer("checked_at").notNull(),
});
