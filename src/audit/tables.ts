import { index, sqliteTable, text, integer } from "drizzle-orm/sqlite-core";
import { id, json } from "../db/columns.ts";

/** Who changed what. Written in the batch of the change itself; never holds a secret; outlives what it speaks of. */
export const auditEvents = sqliteTable(
  "audit_events",
  {
    id: id(),
    at: integer("at").notNull(),
    actorId: text("actor_id"),
    /** `session`, `api-key`, `scim`, `environment` or `anonymous`. */
    actorKind: text("actor_kind").notNull(),
    /** Dotted: `user.role_updated`. */
    action: text("action").notNull(),
    targetType: text("target_type").notNull(),
    targetId: text("target_id").notNull(),
    organizationId: text("organization_id"),
    detail: json<Record<string, unknown>>("detail").notNull(),
    requestId: text("request_id").notNull(),
  },
  (table) => [
    index("audit_events_target").on(table.targetType, table.targetId),
    index("audit_events_actor").on(table.actorId),
    index("audit_events_action").on(table.action),
    index("audit_events_organization").on(table.organizationId, table.id),
    index("audit_events_kind").on(table.actorKind, table.id),
  ],
);
