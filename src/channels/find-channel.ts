import { sql, type SQL } from "drizzle-orm";
import { requirePermission, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { memberOf, readableChannel } from "../people/grants/readable-channel.ts";
import type { channelKinds } from "./tables.ts";

/** A channel with what the caller is in it, as one statement finds it. */
export interface FoundChannel {
  id: string;
  organizationId: string;
  userId: string | null;
  kind: (typeof channelKinds)[number];
  name: string;
  head: number;
  membersVersion: number;
  /** Undefined for those who are no members. */
  role: "manager" | "member" | undefined;
}

interface FoundRow {
  id: string;
  organization_id: string;
  user_id: string | null;
  kind: FoundChannel["kind"];
  name: string;
  head: number;
  members_version: number;
  role: "manager" | "member" | null;
}

/**
 * - `find`: who learns that it is there: whoever reads it, and system administrators but for direct ones.
 * - `read`: who may see what is said in it: members; of a public one everybody of its organization.
 * - `post`: the same people; whoever is no member becomes one by the first post.
 * - `manage`: managers of the channel, and system administrators, who manage any but direct ones without seeing what is said.
 */
export type ChannelRight = "find" | "read" | "post" | "manage";

/** The person who calls, if channels are switched on and they may use them. @throws AppError `forbidden` */
export function requireChannels(ctx: Context): User {
  const user = requirePermission(ctx, "features.channels");
  if (!ctx.settings.ENABLE_CHANNELS) throw new AppError("forbidden", "Channels are switched off");
  return user;
}

/** A condition over the table `channels` (under that name): whether the person finds the channel. */
export function visibleChannel(user: User): SQL {
  if (user.role !== "admin") return readableChannel(user);
  return sql`(channels.deleted_at IS NULL AND (channels.kind <> 'direct' OR ${memberOf(user)}))`;
}

/** A condition over the table `channels` (under that name): whether the person changes the channel and who is in it. */
export function manageableChannel(user: User): SQL {
  const manages = user.role === "admin" ? sql`TRUE` : sql`${readableChannel(user)} AND ${memberOf(user, "manager")}`;
  return sql`(channels.deleted_at IS NULL AND channels.kind <> 'direct' AND ${manages})`;
}

/**
 * The channel, if the caller has that right to it now. One round trip.
 * @throws AppError `not_found`, also for one that they do not find; `forbidden` for one that they find without that right
 */
export async function findChannel(ctx: Context, id: string, right: ChannelRight): Promise<FoundChannel> {
  const user = requireChannels(ctx);
  const [row] = await ctx.db.all<FoundRow & { is_readable: number; is_managed: number }>(sql`
    SELECT channels.id, channels.organization_id, channels.user_id, channels.kind, channels.name, channels.head,
      channels.members_version, m.role, ${readableChannel(user)} AS is_readable, ${manageableChannel(user)} AS is_managed
    FROM channels LEFT JOIN channel_members m ON m.channel_id = channels.id AND m.user_id = ${user.id}
    WHERE channels.id = ${id} AND ${visibleChannel(user)}`);
  if (!row) throw noChannel();
  if (right === "manage" && !row.is_managed) throw notManaged(row.kind);
  if (right !== "manage" && right !== "find" && !row.is_readable)
    throw new AppError("forbidden", "Only a member of the channel can do this");
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    kind: row.kind,
    name: row.name,
    head: row.head,
    membersVersion: row.members_version,
    role: row.role ?? undefined,
  };
}

/** Why somebody who finds a channel of this kind cannot manage it. */
export function notManaged(kind: FoundChannel["kind"]): AppError {
  const why =
    kind === "direct" ? "Direct conversations cannot be managed" : "Only a manager of the channel can do this";
  return new AppError("forbidden", why);
}

export function noChannel(): AppError {
  return new AppError("not_found", "No such channel");
}
