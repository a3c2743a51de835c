import { getTableColumns, sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Quota, QuotaScope } from "./schema.ts";
import { quotas } from "./tables.ts";

/** A key is told apart by whose it is. */
const nameForManagers = sql<string | null>`CASE ${quotas.scope}
  WHEN 'person' THEN (SELECT u.name FROM users u WHERE u.id = ${quotas.subjectId})
  WHEN 'group' THEN (SELECT g.name FROM groups g WHERE g.id = ${quotas.subjectId})
  WHEN 'organization' THEN (SELECT o.name FROM organizations o WHERE o.id = ${quotas.subjectId})
  WHEN 'key' THEN (SELECT u.name || ': ' || k.name FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = ${quotas.subjectId}) END`;

export function selectQuotas({ db }: Pick<Context, "db">, condition: SQL | undefined) {
  return db
    .select({ ...getTableColumns(quotas), subjectName: nameForManagers })
    .from(quotas)
    .where(condition)
    .orderBy(quotas.createdAt, quotas.id);
}

export function toQuota(row: Awaited<ReturnType<typeof selectQuotas>>[number]): Quota {
  return {
    id: row.id,
    scope: row.scope,
    subject_id: row.subjectId || null,
    subject_name: row.subjectName,
    is_shared: row.isShared,
    model: row.model || null,
    unit: row.unit,
    period: row.period,
    amount: row.amount,
    organization_id: row.organizationId || null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

/** The organization for which a manager sets quotas; "" for the whole service. */
export function ownerOf(user: User): string {
  return user.role === "admin" ? "" : user.organizationId;
}

/** Those that the manager may change: all of the service's administrators, those of an organization's own. */
export function mayChange(user: User): SQL {
  return user.role === "admin" ? sql`1` : sql`${quotas.organizationId} = ${user.organizationId}`;
}

/** SQL: whether the subject is there, and of the manager's organization. */
export function subjectExists(user: User, scope: QuotaScope, id: string): SQL {
  const inside = (column: SQL) => (user.role === "admin" ? sql`1` : sql`${column} = ${user.organizationId}`);
  switch (scope) {
    case "everyone":
      return user.role === "admin" ? sql`1` : sql`0`;
    case "organization":
      return sql`EXISTS (SELECT 1 FROM organizations o WHERE o.id = ${id} AND ${inside(sql`o.id`)})`;
    case "group":
      return sql`EXISTS (SELECT 1 FROM groups g WHERE g.id = ${id} AND ${inside(sql`g.organization_id`)})`;
    case "person":
      return sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${id} AND ${inside(sql`u.organization_id`)})`;
    case "key":
      return sql`EXISTS (SELECT 1 FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = ${id} AND ${inside(sql`u.organization_id`)})`;
  }
}

export function unknownQuota(): AppError {
  return new AppError("not_found", "No such quota");
}
