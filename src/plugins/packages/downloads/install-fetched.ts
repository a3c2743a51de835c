import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Services } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { newId } from "../../../lib/id.ts";
import { auditEvents } from "../../../people/audit/tables.ts";
import { makeCold, maxPackages } from "../packages.ts";
import { packageDownloads, pluginPackages } from "../tables.ts";

type Row = typeof packageDownloads.$inferSelect;

/** Why they were not offered, for people. */
export const noRoom = `There is no room for the packages: at most ${maxPackages}, and those that a system administrator added stay as they are`;

/**
 * Offers all wheels of a download to plugins in one batch, in place of those of the same names: all of them or none.
 * @param from the state that it has until now
 * @param held holds while the download is this runner's
 * @param actorKind how the person who answers for it signed in, or an expression that finds it
 * @returns false where there is no room, or where somebody with more rights has added one of them meanwhile
 */
export async function installFetched(
  services: Pick<Services, "db" | "now">,
  row: Row,
  from: "planned" | "running",
  held: SQL,
  actorKind: string | SQL,
): Promise<boolean> {
  const { db } = services;
  const { id, organizationId, byAdmin, userId } = row;
  const now = services.now();
  const names = row.packages.map(({ name }) => name);
  const isReplaced = and(eq(pluginPackages.organizationId, organizationId), inArray(pluginPackages.name, names));
  const others = sql`(SELECT count(*) FROM plugin_packages WHERE organization_id = ${organizationId} AND name NOT IN (SELECT value FROM json_each(${JSON.stringify(names)})))`;
  const isVouchedFor = sql`EXISTS (SELECT 1 FROM plugin_packages WHERE organization_id = ${organizationId} AND by_admin AND name IN (SELECT value FROM json_each(${JSON.stringify(names)})))`;
  // The first statement decides; the others look at what it did, in the same batch.
  const isDone = sql`(${held} AND EXISTS (SELECT 1 FROM package_downloads WHERE id = ${id} AND state = 'done'))`;
  const sizes = new Map(row.fetched.map((each) => [each.id, each]));
  const inserts = row.packages.flatMap((each): BatchItem<"sqlite">[] => {
    const { size, contents } = sizes.get(each.id)!;
    const { name, version, filename, sha256 } = each;
    const stored = { id: each.id, organizationId, name, version, filename, sha256, size, contents, byAdmin, userId };
    const detail = { name, version, filename, sha256, size, registry: each.registry };
    return [
      insertWhere(db, pluginPackages, { ...stored, createdAt: now }, isDone),
      insertWhere(
        db,
        auditEvents,
        {
          id: newId(),
          at: now,
          actorId: userId,
          actorKind,
          action: "package.added",
          targetType: "package",
          targetId: each.id,
          organizationId,
          detail,
          requestId: id,
        },
        isDone,
      ),
    ];
  });
  const [done] = await db.batch([
    db
      .update(packageDownloads)
      .set({ state: "done", status: "", fetched: [], updatedAt: now })
      .where(
        and(
          eq(packageDownloads.id, id),
          eq(packageDownloads.state, from),
          held,
          sql`${others} + ${names.length} <= ${maxPackages}`,
          byAdmin ? undefined : sql`NOT ${isVouchedFor}`,
        ),
      ),
    db.delete(pluginPackages).where(and(isReplaced, isDone)),
    ...inserts,
    makeCold(services, organizationId, isDone),
  ]);
  return done.rowsAffected > 0;
}
