import { sql, type SQL } from "drizzle-orm";

/**
 * SQL: whether a legal hold keeps what belongs to this person: on them, on their home organization, or on the
 * organization of the row itself. The triggers of `legal_holds` refuse exactly this.
 */
export function isHeld(userId: SQL, organizationId: SQL = sql`NULL`): SQL {
  return sql`EXISTS (SELECT 1 FROM legal_holds hold WHERE hold.target_id IN (
    ${userId}, (SELECT held.organization_id FROM users held WHERE held.id = ${userId}), ${organizationId}))`;
}
