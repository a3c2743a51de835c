import { sql } from "drizzle-orm";
import { index, sqliteTable, text, integer } from "drizzle-orm/sqlite-core";
import { id, json } from "../../db/columns.ts";

/** Rows of failures: `detail.error`. The index requires this exact expression. */
export const failed = sql.raw(`json_extract("detail", '$.error') is not null`);

/** Rows of reads by identity providers. The index requires this exact expression. */
export const identityRead = sql.raw(`"action" GLOB 'scim.*.read'`);

/** Who changed what. Written in the batch of the change itself; never contains a secret; outlives its target. */
export const auditEvents = sqliteTable(
  "audit_events",
  {
    id: id(),
    at: integer("at").notNull(),
    actorId: text("actor_id"),
    /** `session`, `api-key`, `scim`, `operator`, `environment` or `anonymous`. */
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
    // Each ends in the order in which pages are read: newest first.
    index("audit_events_time").on(table.at, table.id),
    index("audit_events_target").on(table.targetId, table.at, table.id),
    index("audit_events_type").on(table.targetType, table.at, table.id),
    index("audit_events_actor").on(table.actorId, table.at, table.id),
    index("audit_events_action").on(table.action, table.at, table.id),
    index("audit_events_organization").on(table.organizationId, table.at, table.id),
    index("audit_events_kind").on(table.actorKind, table.at, table.id),
    index("audit_events_failed").on(table.at, table.id).where(failed),
    // Of what is swept away.
    index("audit_events_reads").on(table.at).where(identityRead),
  ],
);
