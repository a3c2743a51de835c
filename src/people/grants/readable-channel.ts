import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";

/** A condition over the table `channels` (under that name): whether the person reads what is said in the channel. */
export function readableChannel(user: Pick<User, "id" | "organizationId">): SQL {
  return sql`(channels.deleted_at IS NULL AND channels.organization_id = ${user.organizationId}
    AND (channels.kind = 'public' OR ${memberOf(user)}))`;
}

/** A condition over the table `channels`: whether the person is a member, in this role where one is named. */
export function memberOf(user: Pick<User, "id">, role?: "manager"): SQL {
  const as = role ? sql`AND cm.role = ${role}` : sql``;
  return sql`EXISTS (SELECT 1 FROM channel_members cm WHERE cm.channel_id = channels.id AND cm.user_id = ${user.id} ${as})`;
}
