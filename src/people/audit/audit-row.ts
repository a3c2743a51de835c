import { sql, type SQL } from "drizzle-orm";
import type { Actor, User } from "../../access.ts";
import type { Database } from "../../db/client.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { newId } from "../../lib/id.ts";
import { auditEvents } from "./tables.ts";

/** What happened, to what. */
export interface AuditedChange {
  /** Dotted, in the past tense: `user.role_updated`. */
  action: string;
  targetType: string;
  targetId: string | SQL;
  /**
   * Home organization of the target, or SQL that finds it; its administrators read the row. Null for what is everyone's. When
   * left out, the actor's own; of a system administrator none, as what they do without naming one is everyone's.
   */
  organizationId?: string | SQL | null;
  /** What changed, in names and values that are no secrets: never passwords, keys or tokens. SQL that makes JSON will do. */
  detail?: Record<string, unknown> | SQL;
}

export type AuditContext = { actor: Actor; db: Database; requestId: string; now(): number };

/** The audit row of a change, for the batch of the change: both are stored or neither. */
export function auditRow(ctx: AuditContext, change: AuditedChange) {
  return ctx.db.insert(auditEvents).values(auditValues(ctx, change));
}

/**
 * The same for a conditional change: written only if the previous statement of the batch changed at least one row
 * (`changes()`, https://sqlite.org/lang_corefunc.html#changes), or if `condition` is true.
 */
export function auditRowIf(ctx: AuditContext, change: AuditedChange, condition: SQL = sql`changes() > 0`) {
  return insertWhere(ctx.db, auditEvents, auditValues(ctx, change), condition);
}

/**
 * The same change of many targets: a row for each of `ids` that `targets`, a SELECT with a column `id`, finds. `detail`
 * may use its columns as `t.<column>`.
 */
export function auditRows(
  ctx: AuditContext,
  change: Omit<AuditedChange, "targetId" | "detail"> & { detail: SQL },
  ids: readonly string[],
  targets: SQL,
) {
  const values = auditValues(ctx, { ...change, targetId: "" });
  const numbered = JSON.stringify(ids.map((id) => [id, newId()]));
  return ctx.db.insert(auditEvents).select(
    sql`SELECT n.value ->> 1, ${values.at}, ${values.actorId}, ${values.actorKind}, ${values.action}, ${values.targetType}, n.value ->> 0,
      ${values.organizationId}, ${change.detail}, ${values.requestId} FROM json_each(${numbered}) n JOIN (${targets}) t ON t.id = n.value ->> 0`,
  );
}

/** The row in the table's format. */
export function auditValues(ctx: AuditContext, change: AuditedChange) {
  const { actor } = ctx;
  const user = actor.kind === "user" ? actor : undefined;
  return {
    id: newId(),
    at: ctx.now(),
    actorId: user?.id ?? null,
    actorKind: user?.credential.kind ?? actor.kind,
    action: change.action,
    targetType: change.targetType,
    targetId: change.targetId,
    organizationId: change.organizationId === undefined ? ownOrganization(user) : change.organizationId,
    detail: change.detail ?? {},
    requestId: ctx.requestId,
  };
}

function ownOrganization(user: User | undefined): string | null {
  return user && user.role !== "admin" ? user.organizationId : null;
}
