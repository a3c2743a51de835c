import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { selectChannels, toChannelView, toldChannel } from "../channel-row.ts";
import { manageableChannel, noChannel, requireChannels } from "../find-channel.ts";
import type { ChannelView } from "../schema.ts";
import { homeOf, requireManaged, selectManaged, selectTold } from "../select-managed.ts";
import { missingGroups, missingPeople, type Named, namedPeople, requireAllNamed } from "./named-people.ts";
import type { MemberRole, NamedPeople } from "./schema.ts";
import { tellLeft, tellMembers } from "./tell-members.ts";

/**
 * Adds people, and the members that groups have now: all of them or, where one named does not fit, nobody. Who is in already
 * stays as they are. New members have nothing unread of what was said before.
 * @throws AppError `not_found`, `forbidden`, `validation_failed`
 */
export async function addMembers(ctx: Context, id: string, input: NamedPeople): Promise<ChannelView> {
  const user = requireChannels(ctx);
  const named = namedOf(input);
  const people = missingPeople(named, homeOf(id));
  const groups = missingGroups(named, user);
  const now = Date.now();
  const [[before], [missing], added, , [row]] = await ctx.db.batch([
    selectManaged(ctx.db, user, id),
    ctx.db.all<{ people: number; groups: number }>(sql`SELECT ${people} AS people, ${groups} AS groups`),
    ctx.db.all<{ user_id: string }>(sql`
      INSERT INTO channel_members (channel_id, user_id, role, last_read, last_read_at, joined_at)
      SELECT channels.id, n.id, 'member', channels.head, ${now}, ${now}
      FROM channels JOIN (${namedPeople(named, homeOf(id))}) n
      WHERE channels.id = ${id} AND ${manageableChannel(user)} AND ${people} = 0 AND ${groups} = 0
      ON CONFLICT DO NOTHING RETURNING user_id`),
    auditRowIf(ctx, changeOf("channel.members_added", id, { user_ids: named.userIds, group_ids: named.groupIds })),
    selectChannels(ctx.db, user, sql`channels.id = ${id}`),
  ]);
  requireManaged(before);
  requireAllNamed(missing!);
  if (!row) throw noChannel();
  if (added.length > 0) tellMembers(ctx, toldChannel(row), idsOf(added));
  return toChannelView(row);
}

/**
 * Takes people out, and the members that groups have now; who is not in is passed over.
 * @throws AppError `not_found`, `forbidden`, `validation_failed`; `conflict` where no manager would be left
 */
export async function removeMembers(ctx: Context, id: string, input: NamedPeople): Promise<void> {
  const user = requireChannels(ctx);
  const named = namedOf(input);
  const leaving = sql`SELECT value FROM json_each(${JSON.stringify(named.userIds)}) UNION SELECT gm.user_id
    FROM group_members gm WHERE gm.group_id IN (SELECT value FROM json_each(${JSON.stringify(named.groupIds)}))`;
  const groups = missingGroups(named, user);
  const keeps = keepsManager(id, leaving);
  const [[before], [state], gone, , [after]] = await ctx.db.batch([
    selectManaged(ctx.db, user, id),
    ctx.db.all<{ groups: number; keeps: number }>(sql`SELECT ${groups} AS groups, ${keeps} AS keeps`),
    ctx.db.all<{ user_id: string }>(sql`DELETE FROM channel_members WHERE channel_id = ${id} AND user_id IN (${leaving})
      AND ${isManaged(user, id)} AND ${groups} = 0 AND ${keeps} RETURNING user_id`),
    auditRowIf(ctx, changeOf("channel.members_removed", id, { user_ids: named.userIds, group_ids: named.groupIds })),
    selectTold(ctx.db, id),
  ]);
  requireManaged(before);
  requireAllNamed({ people: 0, groups: state!.groups });
  if (!state!.keeps) throw lastManager();
  if (gone.length === 0 || !after) return;
  tellMembers(ctx, toldChannel(after), []);
  tellLeft(ctx, id, idsOf(gone));
}

/**
 * Makes a member a manager of the channel, or no longer one.
 * @throws AppError `not_found` also for somebody who is no member; `forbidden`; `conflict` where no manager would be left
 */
export async function setRole(ctx: Context, id: string, memberId: string, role: MemberRole): Promise<void> {
  const user = requireChannels(ctx);
  const keeps = role === "manager" ? sql`TRUE` : keepsManager(id, sql`SELECT ${memberId}`);
  const isMember = sql`EXISTS (SELECT 1 FROM channel_members WHERE channel_id = ${id} AND user_id = ${memberId})`;
  const [[before], [state], changed, , [after]] = await ctx.db.batch([
    selectManaged(ctx.db, user, id),
    ctx.db.all<{ is_member: number; keeps: number }>(sql`SELECT ${isMember} AS is_member, ${keeps} AS keeps`),
    ctx.db.all<{ user_id: string }>(sql`UPDATE channel_members SET role = ${role} WHERE channel_id = ${id}
      AND user_id = ${memberId} AND role <> ${role} AND ${isManaged(user, id)} AND ${keeps} RETURNING user_id`),
    auditRowIf(ctx, changeOf("channel.role_updated", id, { user_id: memberId, role })),
    selectTold(ctx.db, id),
  ]);
  requireManaged(before);
  if (!state!.is_member) throw new AppError("not_found", "No such member");
  if (!state!.keeps) throw lastManager();
  if (changed.length > 0 && after) tellMembers(ctx, toldChannel(after), idsOf(changed));
}

export function lastManager(): AppError {
  return new AppError(
    "conflict",
    "A channel needs a manager: make someone else a manager first, or delete the channel",
  );
}

/** SQL: the channel is there, and the person manages it at this moment. */
function isManaged(user: User, id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM channels WHERE channels.id = ${id} AND ${manageableChannel(user)})`;
}

/** SQL: when those in the SELECT of ids go, a manager stays, or none of them is one. */
function keepsManager(id: string, leaving: SQL): SQL {
  const managers = sql`SELECT 1 FROM channel_members k WHERE k.channel_id = ${id} AND k.role = 'manager'`;
  return sql`(EXISTS (${managers} AND k.user_id NOT IN (${leaving})) OR NOT EXISTS (${managers} AND k.user_id IN (${leaving})))`;
}

/** What is noted of a change, with the name that the channel has. */
function changeOf(action: string, id: string, changed: Record<string, unknown>) {
  const detail = sql`(SELECT json_patch(json_object('name', name), ${JSON.stringify(changed)}) FROM channels WHERE id = ${id})`;
  return { action, targetType: "channel", targetId: id, organizationId: homeOf(id), detail };
}

function namedOf(input: NamedPeople): Named {
  return { userIds: [...new Set(input.user_ids)], groupIds: [...new Set(input.group_ids ?? [])] };
}

function idsOf(rows: readonly { user_id: string }[]): string[] {
  return rows.map((row) => row.user_id);
}
