import { lt } from "drizzle-orm";
import type { Services } from "../context.ts";
import { sessions } from "./auth/sessions/tables.ts";
import { forgottenAfterSeconds } from "./auth/sign-in/slow-down.ts";
import { signInFailures } from "./auth/sign-in/tables.ts";

/**
 * Deletes what has no effect any more: sessions that have run out, with what they still have open, and wrong passwords that
 * are forgotten. One batch.
 */
export async function sweepIdentity(services: Pick<Services, "db" | "now" | "live">): Promise<void> {
  const { db, live } = services;
  const [ended] = await db.batch([
    db.delete(sessions).where(lt(sessions.expiresAt, services.now())).returning({ userId: sessions.userId }),
    db.delete(signInFailures).where(lt(signInFailures.updatedAt, services.now() - forgottenAfterSeconds)),
  ]);
  if (ended.length > 0) await live.recheck([...new Set(ended.map(({ userId }) => userId))]);
}
