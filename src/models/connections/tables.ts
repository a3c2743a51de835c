import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";
import { organizations } from "../../people/organizations/tables.ts";
import type { PolicyChange, QuirksChange } from "../calling/schema.ts";

/** Connections that administrators made; those of the environment are not stored. */
export const connections = sqliteTable(
  "connections",
  {
    id: id(),
    kind: text("kind", { enum: ["openai", "local", "anthropic"] }).notNull(),
    name: text("name").notNull(),
    baseUrl: text("base_url").notNull(),
    /** Sealed; null for a provider that wants none. */
    sealedKey: text("sealed_key"),
    /** Sealed JSON object of extra request headers; they often hold secrets too. */
    sealedHeaders: text("sealed_headers"),
    /** Whose people use it; null for everyone's. */
    organizationId: text("organization_id").references(() => organizations.id, { onDelete: "cascade" }),
    prefixId: text("prefix_id").notNull().default(""),
    /** Models to take; empty for all. */
    modelIds: json<string[]>("model_ids").notNull(),
    tags: json<string[]>("tags").notNull(),
    enabled: flag("enabled").notNull().default(true),
    /** What differs from the defaults. */
    quirks: json<QuirksChange>("quirks").notNull().default({}),
    policy: json<PolicyChange>("policy").notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("connections_created_at").on(table.createdAt)],
);

/** What the last look at a connection's model list gave; keyed by connection id, environment ones too. */
export const connectionChecks = sqliteTable("connection_checks", {
  connectionId: text("connection_id").primaryKey(),
  ok: flag("ok").notNull(),
  /** A `failureReason`, and the same in words for people; null where the list came. */
  reason: text("reason"),
  error: text("error"),
  modelCount: integer("model_count").notNull(),
  latencyMs: integer("latency_ms").notNull(),
  checkedAt: integer("checked_at").notNull(),
});
