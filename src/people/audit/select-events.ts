import { and, desc, eq, gte, lt, lte, not, sql, type SQL } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { users } from "../users/tables.ts";
import type { AuditEvent, AuditFilter } from "./schema.ts";
import { auditEvents, failed } from "./tables.ts";

/** The position of the next page: time and id of the last row of the previous one. */
export type Place = readonly [at: number, id: string];

/**
 * A page of what the person may read, newest first: system administrators everything, an organization's administrators
 * the events of their organization and its people.
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
      accountKind: users.kind,
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
      and(conditionOf(user, filter), after && sql`(${auditEvents.at}, ${auditEvents.id}) < (${after[0]}, ${after[1]})`),
    )
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(limit);
}

/**
 * The target's name of today, by primary key: one step for each row of a page. A quota is called after whom it limits. Chats, files and
 * folders are what people wrote: they have no name here.
 */
const targetName = sql<string | null>`CASE ${auditEvents.targetType}
  WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = ${auditEvents.targetId})
  WHEN 'group' THEN (SELECT g.name FROM groups g WHERE g.id = ${auditEvents.targetId})
  WHEN 'organization' THEN (SELECT o.name FROM organizations o WHERE o.id = ${auditEvents.targetId})
  WHEN 'connection' THEN (SELECT c.name FROM connections c WHERE c.id = ${auditEvents.targetId})
  WHEN 'model' THEN (SELECT m.name FROM stored_models m WHERE m.id = ${auditEvents.targetId})
  WHEN 'function' THEN (SELECT f.name FROM plugins f WHERE f.id = ${auditEvents.targetId})
  WHEN 'tool' THEN (SELECT f.name FROM plugins f WHERE f.id = ${auditEvents.targetId})
  WHEN 'tool_server' THEN (SELECT s.name FROM tool_servers s WHERE s.id = ${auditEvents.targetId})
  WHEN 'knowledge' THEN (SELECT k.name FROM knowledge k WHERE k.id = ${auditEvents.targetId})
  WHEN 'prompt' THEN (SELECT p.name FROM prompts p WHERE p.id = ${auditEvents.targetId})
  WHEN 'channel' THEN (SELECT nullif(c.name, '') FROM channels c WHERE c.id = ${auditEvents.targetId})
  WHEN 'api_key' THEN (SELECT k.name FROM api_keys k WHERE k.id = ${auditEvents.targetId})
  WHEN 'webhook' THEN (SELECT u.name FROM users u WHERE u.id = ${auditEvents.targetId})
  WHEN 'quota' THEN (SELECT coalesce(
      (SELECT u.name FROM users u WHERE u.id = s.id), (SELECT g.name FROM groups g WHERE g.id = s.id),
      (SELECT o.name FROM organizations o WHERE o.id = s.id), (SELECT k.name FROM api_keys k WHERE k.id = s.id))
    FROM (SELECT json_extract(${auditEvents.detail}, '$.subject_id') AS id) s)
  END`;

/** What a row has to have, the rarest first: the first that is given finds the rows in an index that is in their order. */
function conditionOf(user: User, filter: AuditFilter): SQL | undefined {
  const { action, from, to } = filter;
  const kindOfAction = action?.endsWith("*") ? action.slice(0, -1) : undefined;
  const equal: [AnySQLiteColumn, string | undefined][] = [
    [auditEvents.targetId, filter.target_id],
    [auditEvents.actorId, filter.actor_id],
    [auditEvents.organizationId, user.role === "admin" ? undefined : user.organizationId],
    [auditEvents.organizationId, filter.organization_id],
    [auditEvents.action, kindOfAction === undefined ? action : undefined],
    [auditEvents.actorKind, filter.actor_kind],
    [auditEvents.targetType, filter.target_type],
  ];
  const named = equal.filter(([, value]) => value !== undefined);
  return and(
    // Failures have an index of their own, and are rarer than anything else.
    ...named.map(([column, value], index) =>
      index === 0 && filter.failed !== true ? eq(column, value) : sql`${besideIndex(column)} = ${value}`,
    ),
    kindOfAction === undefined ? undefined : beginsWith(auditEvents.action, kindOfAction),
    from === undefined ? undefined : gte(auditEvents.at, from),
    to === undefined ? undefined : lt(auditEvents.at, to),
    filter.failed === undefined ? undefined : filter.failed ? failed : not(failed),
  );
}

/**
 * Keeps an index out of it (https://sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_): one that
 * finds the rows but not in their order would have all of them sorted for each page, and a less rare one read for nothing.
 */
function besideIndex(column: AnySQLiteColumn): SQL {
  return sql`+${column}`;
}

function beginsWith(column: AnySQLiteColumn, beginning: string): SQL | undefined {
  return and(gte(besideIndex(column), beginning), lte(besideIndex(column), `${beginning}\u{10ffff}`));
}

export type EventRow = Awaited<ReturnType<typeof selectEvents>>[number];

export function toAuditEvent(row: EventRow): AuditEvent {
  return {
    id: row.id,
    at: row.at,
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName, is_service: row.accountKind === "service" },
    action: row.action,
    target: { type: row.targetType, id: row.targetId, name: row.targetName },
    organization_id: row.organizationId,
    detail: row.detail,
    request_id: row.requestId,
  };
}
