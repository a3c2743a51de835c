import { and, inArray, lt } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { auditEvents, identityRead } from "./tables.ts";

/** How long reads of an identity provider are kept, in seconds. */
export const readsKeptSeconds = 30 * 86_400;

/** Rows that one turn deletes: the write lock is not for long, and more than a busy provider asks in a minute. */
const atOnce = 5000;

/** Deletes old reads of identity providers, which are frequent; their changes are kept. */
export async function sweepAudit({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  const old = db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(and(identityRead, lt(auditEvents.at, now() - readsKeptSeconds)))
    .limit(atOnce);
  await db.delete(auditEvents).where(inArray(auditEvents.id, old));
}
