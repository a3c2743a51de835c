import { and, desc, eq, gte, lt, lte, not, sql, type SQL } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { User } from "../access.ts";
import type { Context } from "../context.ts";
import { users } from "../identity/users/tables.ts";
import type { AuditEvent, AuditFilter } from "./schema.ts";
import { auditEvents, failed } from "./tables.ts";

/** Where a page goes on: time and id of the last row of the one before. */
export type Place = readonly [at: number, id: string];

/**
 * A page of what the person may read, the newest first: system administrators everything, an organization's administrators
 * what happened to their organization and its people.
 */
export function selectEvents(
  ctx: Pick<Context, "db">,
  user: User,
  filter: AuditFilter,
  after: Place | undefined,
  limit: number,
) {
  return ctx.db
    .select({
      id: auditEvents.id,
      at: auditEvents.at,
      actorKind: auditEvents.actorKind,
      actorId: auditEvents.actorId,
      actorName: users.name,
      action: auditEvents.action,
      targetType: auditEvents.targetType,
      targetId: auditEvents.targetId,
      targetName,
      organizationId: auditEvents.organizationId,
      detail: auditEvents.detail,
      requestId: auditEvents.requestId,
    })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, auditEvents.actorId))
    .where(
      and(
        user.role === "admin" ? undefined : eq(auditEvents.organizationId, user.organizationId),
        conditionOf(filter),
        after && sql`(${auditEvents.at}, ${auditEvents.id}) < (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(limit);
}

/** The target's name of today, by primary key: one step for each row of a page. */
const targetName = sql<string | null>`CASE ${auditEvents.targetType}
  WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = ${auditEvents.targetId})
  WHEN 'group' THEN (SELECT g.name FROM groups g WHERE g.id = ${auditEvents.targetId})
  WHEN 'organization' THEN (SELECT o.name FROM organizations o WHERE o.id = ${auditEvents.targetId})
  WHEN 'connection' THEN (SELECT c.name FROM connections c WHERE c.id = ${auditEvents.targetId})
  END`;

function conditionOf(filter: AuditFilter): SQL | undefined {
  const { actor_id, actor_kind, action, target_type, target_id, organization_id, from, to } = filter;
  return and(
    actor_id === undefined ? undefined : eq(auditEvents.actorId, actor_id),
    actor_kind === undefined ? undefined : eq(auditEvents.actorKind, actor_kind),
    action === undefined ? undefined : actionIs(action),
    target_type === undefined
      ? undefined
      : target_id === undefined
        ? eq(auditEvents.targetType, target_type)
        : sql`${besideIndex(auditEvents.targetType)} = ${target_type}`,
    target_id === undefined ? undefined : eq(auditEvents.targetId, target_id),
    organization_id === undefined ? undefined : eq(auditEvents.organizationId, organization_id),
    from === undefined ? undefined : gte(auditEvents.at, from),
    to === undefined ? undefined : lt(auditEvents.at, to),
    filter.failed === undefined ? undefined : filter.failed ? failed : not(failed),
  );
}

/**
 * Keeps an index out of it (https://sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_): one that
 * finds the rows but not in their order would have all of them sorted for each page.
 */
function besideIndex(column: AnySQLiteColumn): SQL {
  return sql`+${column}`;
}

/** `user.*` is looked for on the way through what is newest. */
function actionIs(action: string): SQL | undefined {
  if (!action.endsWith("*")) return eq(auditEvents.action, action);
  const beginning = action.slice(0, -1);
  const column = besideIndex(auditEvents.action);
  return and(gte(column, beginning), lte(column, `${beginning}\u{10ffff}`));
}

export type EventRow = Awaited<ReturnType<typeof selectEvents>>[number];

export function toAuditEvent(row: EventRow): AuditEvent {
  return {
    id: row.id,
    at: row.at,
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    action: row.action,
    target: { type: row.targetType, id: row.targetId, name: row.targetName },
    organization_id: row.organizationId,
    detail: row.detail,
    request_id: row.requestId,
  };
}
