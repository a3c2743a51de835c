import { sql, type SQL } from "drizzle-orm";
import type { User } from "../access.ts";
import type { CallsQuery, UsageQuery } from "./schema.ts";

/** Whose usage is shown: the caller's own, or that of all people whom they administer. */
export type Seen = { own: User } | { managedBy: User };

/** A condition on columns that both tables of the ledger have, with the alias `n`. */
export function ledgerCondition(
  seen: Seen,
  query: Partial<Pick<UsageQuery & CallsQuery, keyof UsageQuery | keyof CallsQuery>>,
): SQL {
  const conditions: SQL[] = [];
  if ("own" in seen) conditions.push(sql`n.user_id = ${seen.own.id}`);
  else if (seen.managedBy.role !== "admin") conditions.push(sql`n.organization_id = ${seen.managedBy.organizationId}`);
  const { user_id: userId, organization_id: organizationId, group_id: groupId, connection_id: connectionId } = query;
  if (userId !== undefined) conditions.push(sql`n.user_id = ${userId}`);
  if (organizationId !== undefined) conditions.push(sql`n.organization_id = ${organizationId}`);
  if (groupId !== undefined)
    conditions.push(
      sql`EXISTS (SELECT 1 FROM group_members f JOIN groups h ON h.id = f.group_id WHERE f.group_id = ${groupId}
        AND f.user_id = n.user_id AND ${groupsSeen(seen, sql`h.organization_id`)})`,
    );
  if (connectionId !== undefined) conditions.push(sql`n.connection_id = ${connectionId}`);
  if (query.key_id !== undefined) conditions.push(sql`n.key_id = ${query.key_id}`);
  if (query.model !== undefined) conditions.push(sql`(n.model = ${query.model} OR n.base_model = ${query.model})`);
  if (query.api !== undefined) conditions.push(sql`n.api = ${query.api}`);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

/** An organization's administrators know the groups of their organization. */
export function groupsSeen(seen: Seen, organizationId: SQL): SQL {
  if ("own" in seen || seen.managedBy.role === "admin") return sql`true`;
  return sql`${organizationId} = ${seen.managedBy.organizationId}`;
}
