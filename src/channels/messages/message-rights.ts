import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";

/** A condition over `channel_messages` as `m`: this message, not deleted, in a channel that the person can read now. */
export function isMessage(user: User, channelId: string, id: string): SQL {
  return sql`(m.id = ${id} AND m.channel_id = ${channelId} AND m.deleted_at IS NULL
    AND EXISTS (SELECT 1 FROM channels WHERE channels.id = m.channel_id AND ${readableChannel(user)}))`;
}

/** A condition over `channel_messages` as `m`: the person is the author. */
export function isOwn(user: User): SQL {
  return sql`m.sender = ${`user:${user.id}`}`;
}

/**
 * A condition over `channel_messages` as `m`: authors may edit their messages; system administrators any message except
 * in direct conversations.
 */
export function mayEdit(user: User): SQL {
  if (user.role !== "admin") return isOwn(user);
  return sql`(${isOwn(user)} OR EXISTS (SELECT 1 FROM channels c WHERE c.id = m.channel_id AND c.kind <> 'direct'))`;
}

/**
 * A condition over `channel_messages` as `m`: authors may delete their messages, and people who asked a model its
 * answer; managers and system administrators any message except in direct conversations.
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
