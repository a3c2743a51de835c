import { and, inArray, lt } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { auditEvents, identityRead } from "./tables.ts";

/** Seconds for which it is kept what an identity provider only looked at. */
export const readsKeptSeconds = 30 * 86_400;

/** Rows that one turn deletes: the write lock is not for long, and more than a busy provider asks in a minute. */
const atOnce = 5000;

/** Identity providers ask far more than they change; what they changed is kept, what they only read goes. */
export async function sweepAudit({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  const old = db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(and(identityRead, lt(auditEvents.at, now() - readsKeptSeconds)))
    .limit(atOnce);
  await db.delete(auditEvents).where(inArray(auditEvents.id, old));
}
