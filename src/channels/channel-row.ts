import { sql, type SQL } from "drizzle-orm";
import type { User } from "../access.ts";
import type { Database } from "../db/client.ts";
import { readableChannel } from "../people/grants/readable-channel.ts";
import { shownStatusOf } from "../people/users/own-status.ts";
import { profileImagePath } from "../people/users/parse-profile-image.ts";
import { manageableChannel, visibleChannel } from "./find-channel.ts";
import { type ChannelPerson, type ChannelView, maxUnread } from "./schema.ts";
import type { channelKinds } from "./tables.ts";
import type { ToldChannel } from "./tell-channel.ts";

/** A channel with one person's membership and unread counts; JSON as text. */
export interface ChannelRow {
  id: string;
  organization_id: string;
  user_id: string | null;
  kind: (typeof channelKinds)[number];
  name: string;
  description: string;
  data: string;
  meta: string;
  head: number;
  last_message_at: number | null;
  members_version: number;
  member_count: number;
  created_at: number;
  updated_at: number;
  role: "manager" | "member" | null;
  last_read: number | null;
  last_read_at: number | null;
  is_readable: number;
  is_managed: number;
  unread: number;
  mentions: number;
  /** Of direct ones: ids, names and status of the others. */
  others: string | null;
}

/**
 * A condition over `channel_mentions` as `n` and the person's membership as `mine`: unread. Reading the channel does
 * not cover its threads: mentions there are read with the thread.
 */
export const unreadMention = sql.raw(`(n.seq > mine.last_read
  OR EXISTS (SELECT 1 FROM channel_messages t WHERE t.id = n.message_id AND t.parent_id IS NOT NULL))`);

/**
 * Statement: channels (the table under its name, the person's membership as `mine`) visible to the person.
 * @param condition which of them
 * @param order what follows: ORDER BY and LIMIT
 */
export function selectChannels(db: Database, user: User, condition: SQL, order: SQL = sql``) {
  // What one has written oneself is never unread; answers of models always are.
  const unread = sql`SELECT 1 FROM channel_messages m WHERE m.channel_id = channels.id AND m.parent_id IS NULL
    AND m.seq > mine.last_read AND m.deleted_at IS NULL AND m.sender <> ${`user:${user.id}`} LIMIT ${maxUnread}`;
  const mentions = sql`SELECT 1 FROM channel_mentions n WHERE n.user_id = ${user.id} AND n.channel_id = channels.id
    AND ${unreadMention} LIMIT ${maxUnread}`;
  const others = sql`SELECT u.id, u.name, ${shownStatusOf("u")} FROM channel_members o JOIN users u ON u.id = o.user_id
    WHERE o.channel_id = channels.id AND o.user_id <> ${user.id} ORDER BY u.name COLLATE NOCASE, u.id`;
  return db.all<ChannelRow>(sql`
    SELECT channels.id, channels.organization_id, channels.user_id, channels.kind, channels.name, channels.description,
      channels.data, channels.meta, channels.head, channels.last_message_at, channels.members_version, channels.member_count,
      channels.created_at, channels.updated_at, mine.role, mine.last_read, mine.last_read_at,
      ${readableChannel(user)} AS is_readable, ${manageableChannel(user)} AS is_managed,
      CASE WHEN channels.head > mine.last_read THEN (SELECT count(*) FROM (${unread})) ELSE 0 END AS unread,
      CASE WHEN mine.role IS NULL THEN 0 ELSE (SELECT count(*) FROM (${mentions})) END AS mentions,
      CASE channels.kind WHEN 'direct' THEN (SELECT json_group_array(json_object('id', id, 'name', name, 'status_emoji', status_emoji,
        'status_message', status_message)) FROM (${others})) END AS others
    FROM channels LEFT JOIN channel_members mine ON mine.channel_id = channels.id AND mine.user_id = ${user.id}
    WHERE ${visibleChannel(user)} AND ${condition} ${order}`);
}

/** The channel as seen by the person for whom it was selected. */
export function toChannelView(row: ChannelRow): ChannelView {
  const others =
    row.others === null ? undefined : (JSON.parse(row.others) as Omit<ChannelPerson, "profile_image_url">[]);
  return {
    id: row.id,
    organization_id: row.organization_id,
    user_id: row.user_id,
    type: { public: null, private: "group", direct: "dm" }[row.kind] as ChannelView["type"],
    name: row.name,
    description: row.description,
    is_private: row.kind !== "public",
    data: JSON.parse(row.data) as Record<string, unknown>,
    meta: JSON.parse(row.meta) as Record<string, unknown>,
    created_at: row.created_at,
    updated_at: row.updated_at,
    last_message_at: row.last_message_at,
    head: row.head,
    is_member: row.role !== null,
    is_manager: Boolean(row.is_managed),
    write_access: Boolean(row.is_readable),
    unread_count: row.unread,
    mention_count: row.mentions,
    last_read: row.last_read ?? 0,
    last_read_at: row.last_read_at,
    user_count: row.member_count,
    ...(others && {
      users: others.map((person) => ({ ...person, profile_image_url: profileImagePath(person.id) })),
      user_ids: others.map(({ id }) => id),
    }),
  };
}

/** The channel's data for its object. */
export function toldChannel(row: Pick<ChannelRow, "id" | "organization_id" | "members_version">): ToldChannel {
  return { id: row.id, organizationId: row.organization_id, membersVersion: row.members_version };
}
