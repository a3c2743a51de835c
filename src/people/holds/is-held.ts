import { sql, type SQL } from "drizzle-orm";

/**
 * SQL: whether a legal hold keeps what belongs to this person: on them, on their home organization, or on the
 * organization of the row itself. The triggers of `legal_holds` refuse exactly this.
 */
export function isHeld(userId: SQL, organizationId: SQL = sql`NULL`): SQL {
  return sql`EXISTS (SELECT 1 FROM legal_holds hold WHERE hold.target_id IN (
    ${userId}, (SELECT held.organization_id FROM users held WHERE held.id = ${userId}), ${organizationId}))`;
}

/** SQL over the table `channels`: whether a legal hold keeps a channel, because of itself or of a message in it. */
export const isChannelHeld = sql`(${isHeld(sql`channels.user_id`, sql`channels.organization_id`)}
  OR EXISTS (SELECT 1 FROM legal_holds h CROSS JOIN channel_messages m
    WHERE h.kind = 'person' AND m.user_id = h.target_id AND m.channel_id = channels.id)
  OR EXISTS (SELECT 1 FROM legal_holds h CROSS JOIN users u CROSS JOIN channel_messages m
    WHERE h.kind = 'organization' AND u.organization_id = h.target_id AND m.user_id = u.id AND m.channel_id = channels.id))`;
