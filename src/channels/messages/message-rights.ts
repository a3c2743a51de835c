import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";

/** A condition over `channel_messages` as `m`: it is that one, not deleted, in a channel that the person reads at this moment. */
export function isMessage(user: User, channelId: string, id: string): SQL {
  return sql`(m.id = ${id} AND m.channel_id = ${channelId} AND m.deleted_at IS NULL
    AND EXISTS (SELECT 1 FROM channels WHERE channels.id = m.channel_id AND ${readableChannel(user)}))`;
}

/** A condition over `channel_messages` as `m`: the person wrote it themselves. */
export function isOwn(user: User): SQL {
  return sql`m.sender = ${`user:${user.id}`}`;
}

/** A condition over `channel_messages` as `m`: authors change what they said; system administrators anything but in direct ones. */
export function mayEdit(user: User): SQL {
  if (user.role !== "admin") return isOwn(user);
  return sql`(${isOwn(user)} OR EXISTS (SELECT 1 FROM channels c WHERE c.id = m.channel_id AND c.kind <> 'direct'))`;
}

/**
 * A condition over `channel_messages` as `m`: authors delete what they said, whoever asked a model its answer; but in direct
 * channels managers and system administrators anything.
 */
export function mayDelete(user: User): SQL {
  const manages =
    user.role === "admin"
      ? sql`TRUE`
      : sql`EXISTS (SELECT 1 FROM channel_members cm
          WHERE cm.channel_id = c.id AND cm.user_id = ${user.id} AND cm.role = 'manager')`;
  return sql`(m.user_id = ${user.id}
    OR EXISTS (SELECT 1 FROM channels c WHERE c.id = m.channel_id AND c.kind <> 'direct' AND ${manages}))`;
}
