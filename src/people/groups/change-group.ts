import { and, eq, gt, sql } from "drizzle-orm";
import { requireManager } from "../../access.ts";
import type { Context } from "../../context.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { recentlyHere, recheckMembers, recheckPeople } from "../recheck.ts";
import { users } from "../users/tables.ts";
import { grantsBeyond, notGrantedYet, requireNone } from "./granted-leaves.ts";
import {
  type GroupInput,
  hasOutsiders,
  mayChangeGroup,
  organizationOf,
  outsidersInside,
  selectGroups,
  shareOf,
  toGroupObject,
  unknownGroup,
} from "./group-rows.ts";
import type { GroupObject } from "./schema.ts";
import { groupMembers, groups } from "./tables.ts";

/**
 * Replaces name and description; permissions and sharing only when they are named, and then a leaf that is left out is not
 * granted.
 * @throws AppError `not_found`; `forbidden` for a permission that the administrator does not have and the group neither, and
 * for an organization's administrator where people of other organizations are in the group.
 */
export async function updateGroup(ctx: Context, groupId: string, input: GroupInput): Promise<GroupObject> {
  const actor = requireManager(ctx);
  const share = shareOf(input);
  const { name, description, permissions } = input;
  const values = {
    name,
    description,
    ...(permissions && { permissions }),
    ...(share && { share }),
    updatedAt: ctx.now(),
  };
  const may = mayChangeGroup(actor, groupId);
  const outsiders = hasOutsiders(actor, groupId);
  const beyond = notGrantedYet(groupId, grantsBeyond(actor, permissions ?? {}));
  const [[state], , , rows] = await ctx.db.batch([
    ctx.db.all<{ may: number; outsiders: number; beyond: string }>(
      sql`SELECT ${may} AS may, ${outsiders} AS outsiders, ${beyond} AS beyond`,
    ),
    ctx.db
      .update(groups)
      .set(values)
      .where(and(eq(groups.id, groupId), may, sql`NOT ${outsiders} AND ${beyond} = '[]'`)),
    auditRowIf(ctx, {
      action: "group.updated",
      targetType: "group",
      targetId: groupId,
      organizationId: organizationOf(groupId),
      detail: { name, ...(permissions && { permissions }), ...(share && { share }) },
    }),
    selectGroups(ctx, eq(groups.id, groupId)),
  ]);
  if (!rows[0] || !state!.may) throw unknownGroup();
  if (state!.outsiders) throw outsidersInside();
  requireNone(state!.beyond);
  if (permissions) await recheckMembers(ctx, groupId);
  return toGroupObject(rows[0]);
}

/**
 * Its members keep their accounts and lose what the group gave them, from the next request on.
 * @throws AppError `not_found`; `forbidden` as for changing it.
 */
export async function deleteGroup(ctx: Context, groupId: string): Promise<void> {
  const actor = requireManager(ctx);
  const detail = sql`(SELECT json_object('name', name) FROM ${groups} WHERE id = ${groupId})`;
  const may = mayChangeGroup(actor, groupId);
  const outsiders = hasOutsiders(actor, groupId);
  const allowed = sql`(${may} AND NOT ${outsiders})`;
  const [[state], members] = await ctx.db.batch([
    ctx.db.all<{ may: number; outsiders: number }>(sql`SELECT ${may} AS may, ${outsiders} AS outsiders`),
    ctx.db
      .select({ id: users.id })
      .from(groupMembers)
      .innerJoin(users, eq(users.id, groupMembers.userId))
      .where(and(eq(groupMembers.groupId, groupId), gt(users.lastActiveAt, recentlyHere(ctx)))),
    auditRowIf(
      ctx,
      {
        action: "group.deleted",
        targetType: "group",
        targetId: groupId,
        organizationId: organizationOf(groupId),
        detail,
      },
      allowed,
    ),
    // What was shared with the group goes by trigger.
    ctx.db.delete(groups).where(and(eq(groups.id, groupId), allowed)),
  ]);
  if (!state!.may) throw unknownGroup();
  if (state!.outsiders) throw outsidersInside();
  await recheckPeople(
    ctx,
    members.map((member) => member.id),
  );
}
