import { and, inArray, lt, not, sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { serviceContext } from "../people/auth/service-context.ts";
import { isHeld } from "../people/holds/is-held.ts";
import { quotaCounters } from "./quotas/tables.ts";
import { usageRecords } from "./tables.ts";
import { flushUse } from "./write-use.ts";

/** Rows that one statement deletes, so that the write lock is not for long, and statements of one turn. */
const atOnce = 2000;
const maxTurns = 20;
/** The longest window is a month. */
const countersKeptSeconds = 40 * 86_400;

/** Deletes individual calls older than the setting, and counters of past windows. */
export async function sweepUsage(services: Services): Promise<void> {
  // Nobody may have asked anything since the last writer was put away.
  await flushUse(services);
  const { settings, db, now } = await serviceContext(services);
  const before = now() - settings.USAGE_RECORD_DAYS * 86_400;
  const old = db
    .select({ id: usageRecords.id })
    .from(usageRecords)
    .where(and(lt(usageRecords.at, before), not(isHeld(sql`user_id`, sql`organization_id`))))
    .limit(atOnce);
  for (let turn = 0; turn < maxTurns; turn++) {
    const { rowsAffected } = await db.delete(usageRecords).where(inArray(usageRecords.id, old));
    if (rowsAffected < atOnce) break;
  }
  await db.run(sql`DELETE FROM ${quotaCounters} WHERE rowid IN (
    SELECT rowid FROM ${quotaCounters} WHERE start < ${now() - countersKeptSeconds} LIMIT ${atOnce})`);
}
