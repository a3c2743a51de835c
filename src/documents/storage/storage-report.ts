import { eq, sql } from "drizzle-orm";
import { requireManager } from "../../access.ts";
import type { Context } from "../../context.ts";
import { organizations } from "../../people/organizations/tables.ts";
import { maxOrganizationBytes, maxPersonBytes, maxServiceBytes } from "../../people/totals/storage-room.ts";
import { personTotals, serviceTotals, storageTotals } from "../../people/totals/tables.ts";
import { users } from "../../people/users/tables.ts";
import type { StorageReport } from "./schema.ts";

/**
 * Who uses how much: in the whole service, or, for an organization's administrator, in that organization. One round trip.
 * @throws AppError `forbidden`
 */
export async function getStorageReport(ctx: Context, limit: number): Promise<StorageReport> {
  const user = requireManager(ctx);
  const { db, settings } = ctx;
  const own = user.role === "admin" ? undefined : user.organizationId;
  const [[totals], people, rows] = await db.batch([
    db
      .select()
      .from(storageTotals)
      .where(eq(storageTotals.scope, own ?? serviceTotals)),
    db
      .select({
        id: users.id,
        name: users.name,
        email: users.email,
        organization_id: users.organizationId,
        used_bytes: personTotals.bytes,
        file_count: personTotals.files,
        chat_count: personTotals.chats,
      })
      .from(personTotals)
      .innerJoin(users, eq(users.id, personTotals.userId))
      .where(own === undefined ? undefined : eq(personTotals.organizationId, own))
      .orderBy(sql`${personTotals.bytes} DESC, ${personTotals.userId} DESC`)
      .limit(limit),
    db
      .select({
        id: organizations.id,
        name: organizations.name,
        used_bytes: storageTotals.bytes,
        file_count: storageTotals.files,
        max_bytes: maxOrganizationBytes(settings),
      })
      .from(organizations)
      .innerJoin(storageTotals, eq(storageTotals.scope, organizations.id))
      .where(own === undefined ? undefined : eq(organizations.id, own))
      .orderBy(sql`${storageTotals.bytes} DESC, ${organizations.id}`)
      .limit(limit),
  ]);
  return {
    used_bytes: totals?.bytes ?? 0,
    file_count: totals?.files ?? 0,
    max_bytes: own === undefined ? (maxServiceBytes(settings) ?? null) : (rows[0]?.max_bytes ?? null),
    max_person_bytes: maxPersonBytes(settings) ?? null,
    people,
    organizations: rows,
  };
}
