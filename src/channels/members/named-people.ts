import { sql, type SQL } from "drizzle-orm";
import { managesOrganization, type User } from "../../access.ts";
import { refused } from "../audience.ts";

/** People and groups as a request names them. */
export interface Named {
  userIds: readonly string[];
  groupIds: readonly string[];
}

const listOf = (ids: readonly string[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify([...new Set(ids)])}))`;

/**
 * A SELECT of the ids (`id`) of those named who can be in a channel of that organization: people at home there who can sign in,
 * and such members of groups.
 */
export function namedPeople({ userIds, groupIds }: Named, organizationId: SQL | string): SQL {
  return sql`SELECT u.id AS id FROM users u WHERE u.organization_id = ${organizationId} AND u.active = 1 AND u.role <> 'pending'
    AND (u.id IN ${listOf(userIds)} OR u.id IN (SELECT gm.user_id FROM group_members gm WHERE gm.group_id IN ${listOf(groupIds)}))`;
}

/** SQL: how many of the people named cannot be in a channel of that organization. */
export function missingPeople({ userIds }: Named, organizationId: SQL | string): SQL {
  const fitting = namedPeople({ userIds, groupIds: [] }, organizationId);
  return sql`(${new Set(userIds).size} - (SELECT count(*) FROM (${fitting})))`;
}

/** SQL: how many of the groups named are none that the person may bring along: those that they may share things with. */
export function missingGroups({ groupIds }: Named, user: User): SQL {
  const own = sql`g.organization_id = ${user.organizationId}`;
  const shared = sql`(${own} AND (g.share = 'everyone' OR (g.share = 'members' AND g.id IN ${listOf(user.groupIds)})))`;
  const open = user.role === "admin" ? sql`TRUE` : managesOrganization(user, user.organizationId) ? own : shared;
  return sql`(${new Set(groupIds).size} - (SELECT count(*) FROM groups g WHERE g.id IN ${listOf(groupIds)} AND ${open}))`;
}

/** @throws AppError `validation_failed` that says how many of those named cannot be in the channel */
export function requireAllNamed(missing: { people: number; groups: number }): void {
  if (missing.people > 0)
    throw refused(
      "user_ids",
      `${missing.people} of these people are unknown, cannot sign in or belong to another organization`,
    );
  if (missing.groups > 0)
    throw refused("group_ids", `${missing.groups} of these groups are unknown, or you cannot add them`);
}
