import { and, inArray, lt, not, sql } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { isHeld } from "../../people/holds/is-held.ts";
import { storedResponses } from "./tables.ts";

/** Rows deleted at once, so that the write lock is held only briefly. */
const atOnce = 1000;

/** Deletes expired responses. For the timer. */
export async function sweepResponses({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  const old = db
    .select({ id: storedResponses.id })
    .from(storedResponses)
    .where(and(lt(storedResponses.expiresAt, now()), not(isHeld(sql`user_id`))))
    .limit(atOnce);
  await db.delete(storedResponses).where(inArray(storedResponses.id, old));
}
