import { sql } from "drizzle-orm";
import { hasPermission, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { isUniqueViolation } from "../db/database-error.ts";
import { insertWhere } from "../db/insert-where.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { auditRowIf } from "../people/audit/audit-row.ts";
import { readAudience, refused } from "./audience.ts";
import { selectChannels, toChannelView, toldChannel } from "./channel-row.ts";
import { openDirect } from "./direct.ts";
import { manageableChannel, noChannel, requireChannels } from "./find-channel.ts";
import { missingGroups, missingPeople, namedPeople, requireAllNamed } from "./members/named-people.ts";
import type { ChannelChange, ChannelView, NewChannel } from "./schema.ts";
import { homeOf, requireManaged, selectManaged } from "./select-managed.ts";
import { channels } from "./tables.ts";
import { tellChannel } from "./tell-channel.ts";

const publicPermission = "sharing.public_channels";

/**
 * A channel of the caller's home organization, whose manager they are, or a direct conversation.
 * @throws AppError `forbidden`; `conflict` for a name that a public channel has; `validation_failed` for people or groups that
 * cannot be in it
 */
export async function createChannel(ctx: Context, input: NewChannel): Promise<ChannelView> {
  const user = requireChannels(ctx);
  const audience = readAudience(input);
  if (input.type === "dm") {
    if (audience.groupIds.length > 0) throw refused("group_ids", "Direct conversations are for people only");
    return openDirect(ctx, audience.userIds);
  }
  const isPublic = audience.isPublic ?? false;
  if (isPublic) requirePublic(user);
  const id = newId();
  const now = Date.now();
  const home = user.organizationId;
  const people = missingPeople(audience, home);
  const groups = missingGroups(audience, user);
  const isHere = sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${user.id} AND u.organization_id = ${home})`;
  const [[missing], , , , [row]] = await uniquelyNamed(() =>
    ctx.db.batch([
      ctx.db.all<{ people: number; groups: number }>(sql`SELECT ${people} AS people, ${groups} AS groups`),
      insertWhere(
        ctx.db,
        channels,
        {
          id,
          organizationId: home,
          userId: user.id,
          kind: isPublic ? "public" : "private",
          name: input.name,
          description: input.description ?? "",
          data: input.data ?? {},
          meta: input.meta ?? {},
          createdAt: now,
          updatedAt: now,
        },
        sql`${people} = 0 AND ${groups} = 0 AND ${isHere}`,
      ),
      auditRowIf(ctx, {
        action: "channel.created",
        targetType: "channel",
        targetId: id,
        organizationId: home,
        detail: { name: input.name, is_private: !isPublic, user_ids: audience.userIds, group_ids: audience.groupIds },
      }),
      ctx.db.run(sql`INSERT INTO channel_members (channel_id, user_id, role, joined_at)
        SELECT ${id}, id, CASE id WHEN ${user.id} THEN 'manager' ELSE 'member' END, ${now}
        FROM (SELECT ${user.id} AS id UNION ${namedPeople(audience, home)})
        WHERE EXISTS (SELECT 1 FROM channels WHERE id = ${id})`),
      selectChannels(ctx.db, user, sql`channels.id = ${id}`),
    ]),
  );
  requireAllNamed(missing!);
  if (!row) throw noChannel();
  tellChannel(ctx, toldChannel(row), { type: "channel:changed", data: {} });
  return toChannelView(row);
}

/**
 * Changes what is named.
 * @throws AppError `not_found`, `forbidden`; `conflict` for a name that a public channel has; `validation_failed` for members,
 * who have verbs of their own
 */
export async function changeChannel(ctx: Context, id: string, change: ChannelChange): Promise<ChannelView> {
  const user = requireChannels(ctx);
  const { isPublic, userIds, groupIds } = readAudience(change);
  if (userIds.length + groupIds.length > 0)
    throw refused("user_ids", "Use /update/members/add and /update/members/remove to add and remove members");
  const values = valuesOf(change, isPublic);
  const mayOpen = isPublic && !hasPermission(user, publicPermission) ? sql`channels.kind = 'public'` : sql`TRUE`;
  const [[before], , , [row]] = await uniquelyNamed(() =>
    ctx.db.batch([
      selectManaged(ctx.db, user, id),
      ctx.db
        .update(channels)
        .set({ ...values, updatedAt: sql`max(updated_at, ${Date.now()})` })
        .where(sql`channels.id = ${id} AND ${manageableChannel(user)} AND ${mayOpen}`),
      auditRowIf(ctx, {
        action: "channel.updated",
        targetType: "channel",
        targetId: id,
        organizationId: homeOf(id),
        detail: sql`(SELECT json_object('name', name, 'is_private', json(iif(kind = 'public', 'false', 'true')),
          'fields', json(${JSON.stringify(Object.keys(values))})) FROM channels WHERE id = ${id})`,
      }),
      selectChannels(ctx.db, user, sql`channels.id = ${id}`),
    ]),
  );
  const { kind } = requireManaged(before);
  if (isPublic && kind !== "public") requirePublic(user);
  if (!row) throw noChannel();
  tellChannel(ctx, toldChannel(row), { type: "channel:changed", data: {} });
  return toChannelView(row);
}

function valuesOf({ name, description, data, meta }: ChannelChange, isPublic: boolean | undefined) {
  return {
    ...(name ? { name } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(data ? { data } : {}),
    ...(meta ? { meta } : {}),
    ...(isPublic === undefined ? {} : { kind: isPublic ? ("public" as const) : ("private" as const) }),
  };
}

/** @throws AppError `forbidden` that names the permission */
function requirePublic(user: User): void {
  if (hasPermission(user, publicPermission)) return;
  const message = `To create a public channel you need the permission ${publicPermission}. Ask an administrator for it`;
  throw new AppError("forbidden", message, { param: "is_private" });
}

/** @throws AppError `conflict` where the work breaks on a name that is there */
async function uniquelyNamed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, "channels.name"))
      throw new AppError("conflict", "A public channel with this name already exists", { param: "name" });
    throw error;
  }
}
