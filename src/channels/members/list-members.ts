import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { containsWords } from "../../db/contains-words.ts";
import { shownStatusOf } from "../../people/users/own-status.ts";
import { profileImagePath } from "../../people/users/parse-profile-image.ts";
import { isPresent } from "../../people/users/user-columns.ts";
import { noChannel, requireChannels, visibleChannel } from "../find-channel.ts";
import type { ChannelMember, MemberPage, MemberQuery } from "./schema.ts";

interface Row {
  id: string;
  name: string;
  email: string;
  kind: ChannelMember["kind"];
  role: ChannelMember["role"];
  channel_role: ChannelMember["channel_role"];
  status_emoji: string | null;
  status_message: string | null;
  last_active_at: number;
  joined_at: number;
}

const orders = {
  name: "u.name COLLATE NOCASE",
  email: "u.email",
  // Alphabetical, as it happens.
  role: "m.role",
  joined_at: "m.joined_at",
  last_active_at: "u.last_active_at",
} as const;

/**
 * A page of the members, for everyone who can see the channel; `total` counts all matches. One round trip.
 * @throws AppError `not_found`
 */
export async function listMembers(ctx: Context, id: string, input: MemberQuery): Promise<MemberPage> {
  const user = requireChannels(ctx);
  const by = sql.raw(orders[input.order_by]);
  const way = sql.raw(input.direction);
  const found = sql`SELECT 1 FROM channels WHERE channels.id = ${id} AND ${visibleChannel(user)}`;
  const members = sql`FROM channel_members m JOIN users u ON u.id = m.user_id
    WHERE m.channel_id = ${id} AND EXISTS (${found}) AND ${containsWords(input.query, [sql.raw("u.name"), sql.raw("u.email")])}`;
  const [there, rows, [counted]] = await ctx.db.batch([
    ctx.db.all(found),
    ctx.db
      .all<Row>(sql`SELECT u.id, u.name, u.email, u.kind, u.role, m.role AS channel_role, ${shownStatusOf("u")}, u.last_active_at, m.joined_at ${members}
      ORDER BY ${by} ${way}, u.name COLLATE NOCASE, u.id LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`),
    ctx.db.all<{ total: number }>(sql`SELECT count(*) AS total ${members}`),
  ]);
  if (there.length === 0) throw noChannel();
  return {
    users: rows.map(({ last_active_at, ...row }) => ({
      ...row,
      profile_image_url: profileImagePath(row.id),
      is_active: isPresent(ctx, last_active_at),
    })),
    total: counted?.total ?? 0,
  };
}
