import { eq, sql, type SQL } from "drizzle-orm";
import { managesOrganization, requireAdmin, requireManager } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRows } from "../audit/audit-row.ts";
import { groupMembers, groups } from "../groups/tables.ts";
import { recheckPeople } from "../recheck.ts";
import { firstAdministrator, stillManages } from "../still-manages.ts";
import { pageOfUsers } from "../users/list-users.ts";
import type { ListQuery, UserList } from "../users/schema.ts";
import { users } from "../users/tables.ts";
import { defaultOrganizationId } from "./default-organization.ts";
import { selectOrganizations, toOrganization, unknownOrganization } from "./organization-rows.ts";
import type { MovedResult } from "./schema.ts";
import { organizations } from "./tables.ts";

/**
 * A page of the organization's people.
 * @throws AppError `forbidden`, `not_found`; `bad_request` for an invalid cursor.
 */
export async function listOrganizationMembers(ctx: Context, id: string, input: ListQuery): Promise<UserList> {
  const actor = requireManager(ctx);
  if (!managesOrganization(actor, id)) throw unknownOrganization();
  const page = await pageOfUsers(ctx, eq(users.organizationId, id), input);
  // Only a list that could be of nothing asks whether there is such an organization.
  if (page.total === 0 && !(await selectOrganizations(ctx, eq(organizations.id, id)))[0]) throw unknownOrganization();
  return page;
}

interface State {
  may: number;
  known: number;
  active: number;
  missing: number;
  has_first: number;
}

/**
 * Moves people into this organization: all of them or, if one is unknown or may not be moved, none. They become plain
 * members and leave the groups of their previous organization; people who are already in it stay unchanged. Effective
 * from their next request.
 * @throws AppError `forbidden`, also for the first administrator, whom nobody else may move; `not_found`; `conflict`
 *   for an organization that is switched off; `validation_failed` with the number of unknown people.
 */
export async function movePeople(ctx: Context, id: string, userIds: string[]): Promise<MovedResult> {
  const actor = requireAdmin(ctx);
  const ids = [...new Set(userIds)];
  const given = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const may = stillManages(actor);
  const isThere = (condition: SQL) => sql`EXISTS (SELECT 1 FROM ${organizations} WHERE id = ${id} AND ${condition})`;
  const missing = sql`(${ids.length} - (SELECT count(*) FROM ${users} WHERE id IN ${given}))`;
  const hasFirst = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${firstAdministrator} AND id <> ${actor.id}
    AND id IN ${given} AND organization_id <> ${id})`;
  const allowed = sql`(${may} AND ${isThere(sql`active = 1`)} AND ${missing} = 0 AND NOT ${hasFirst})`;
  const coming = sql`SELECT id, organization_id FROM ${users} WHERE id IN ${given} AND organization_id <> ${id} AND ${allowed}`;
  const [[state], , , moved, [row]] = await ctx.db.batch([
    ctx.db.all<State>(sql`SELECT ${may} AS may, ${isThere(sql`1`)} AS known, ${isThere(sql`active = 1`)} AS active,
      ${missing} AS missing, ${hasFirst} AS has_first`),
    auditRows(
      ctx,
      {
        action: "user.moved",
        targetType: "user",
        organizationId: id,
        detail: sql`json_object('from', t.organization_id, 'to', ${id})`,
      },
      ids,
      coming,
    ),
    ctx.db.delete(groupMembers).where(
      sql`${groupMembers.userId} IN (SELECT id FROM (${coming})) AND EXISTS (
          SELECT 1 FROM ${groups} g WHERE g.id = ${groupMembers.groupId} AND g.organization_id NOT IN (${id}, ${defaultOrganizationId}))`,
    ),
    ctx.db
      .update(users)
      .set({ organizationId: id, organizationRole: "member", updatedAt: ctx.now() })
      .where(sql`${users.id} IN (SELECT id FROM (${coming}))`)
      .returning({ id: users.id }),
    selectOrganizations(ctx, eq(organizations.id, id)),
  ]);
  requireMovable(state!);
  await recheckPeople(
    ctx,
    moved.map((person) => person.id),
  );
  return { organization: toOrganization(row!), moved: moved.length };
}

function requireMovable(state: State): void {
  if (!state.may) throw new AppError("forbidden", "Only an administrator can do this");
  if (!state.known) throw unknownOrganization();
  if (!state.active)
    throw new AppError("conflict", "The organization is switched off: these people could no longer sign in");
  if (state.missing > 0) {
    const message = `${state.missing} of these people ${state.missing === 1 ? "is" : "are"} unknown`;
    throw new AppError("validation_failed", `user_ids: ${message}`, {
      param: "user_ids",
      issues: [{ path: "user_ids", message }],
    });
  }
  if (state.has_first)
    throw new AppError("forbidden", "Only the first administrator can move the first administrator's account");
}
