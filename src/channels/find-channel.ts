import { sql, type SQL } from "drizzle-orm";
import { requirePermission, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
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
 * - `read`: who may see what is said in it: members; of a public one everybody of its organization.
 * - `post`: the same people; whoever is no member becomes one by the first post.
 * - `manage`: managers of the channel, and system administrators, who manage any but direct ones without seeing what is said.
 */
export type ChannelRight = "read" | "post" | "manage";

/** The person who calls, if channels are switched on and they may use them. @throws AppError `forbidden` */
export function requireChannels(ctx: Context): User {
  const user = requirePermission(ctx, "features.channels");
  if (!ctx.settings.ENABLE_CHANNELS) throw new AppError("forbidden", "Channels are switched off here");
  return user;
}

/** A condition over the table `channels` (under that name): whether the person finds the channel. */
export function visibleChannel(user: User): SQL {
  const member = memberOf(user);
  if (user.role === "admin") return sql`(channels.kind <> 'direct' OR ${member})`;
  return sql`(channels.organization_id = ${user.organizationId} AND (channels.kind = 'public' OR ${member}))`;
}

/** A condition over the table `channels` (under that name): whether the person reads what is said in the channel. */
export function readableChannel(user: User): SQL {
  return sql`(channels.organization_id = ${user.organizationId} AND (channels.kind = 'public' OR ${memberOf(user)}))`;
}

function memberOf(user: User): SQL {
  return sql`EXISTS (SELECT 1 FROM channel_members cm WHERE cm.channel_id = channels.id AND cm.user_id = ${user.id})`;
}

/**
 * The channel, if the caller has that right to it now. One round trip.
 * @throws AppError `not_found`, also for one that they do not find; `forbidden` for one that they find without that right
 */
export async function findChannel(ctx: Context, id: string, right: ChannelRight): Promise<FoundChannel> {
  const user = requireChannels(ctx);
  const [row] = await ctx.db.all<FoundRow & { is_readable: number }>(sql`
    SELECT channels.id, channels.organization_id, channels.user_id, channels.kind, channels.name, channels.head,
      channels.members_version, m.role, ${readableChannel(user)} AS is_readable
    FROM channels LEFT JOIN channel_members m ON m.channel_id = channels.id AND m.user_id = ${user.id}
    WHERE channels.id = ${id} AND ${visibleChannel(user)}`);
  if (!row) throw noChannel();
  const role = row.role ?? undefined;
  const manages = row.kind !== "direct" && (role === "manager" || user.role === "admin");
  if (right === "manage" ? !manages : !row.is_readable)
    throw new AppError(
      "forbidden",
      right === "manage" ? "Only managers of the channel can do this" : "Only members of the channel can do this",
    );
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    kind: row.kind,
    name: row.name,
    head: row.head,
    membersVersion: row.members_version,
    role,
  };
}

export function noChannel(): AppError {
  return new AppError("not_found", "There is no such channel");
}
