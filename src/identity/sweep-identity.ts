import { lt } from "drizzle-orm";
import { sessions } from "../auth/sessions/tables.ts";
import { forgottenAfter } from "../auth/sign-in/slow-down.ts";
import { signInFailures } from "../auth/sign-in/tables.ts";
import type { Services } from "../context.ts";

/**
 * Deletes what has no effect any more: sessions that have run out, whose sockets are closed too, and wrong passwords that
 * are forgotten. One batch.
 */
export async function sweepIdentity(services: Pick<Services, "db" | "now" | "live">): Promise<void> {
  const { db, live } = services;
  const [ended] = await db.batch([
    db
      .delete(sessions)
      .where(lt(sessions.expiresAt, services.now()))
      .returning({ id: sessions.id, userId: sessions.userId }),
    db.delete(signInFailures).where(lt(signInFailures.updatedAt, services.now() - forgottenAfter)),
  ]);
  await Promise.all(ended.map(({ id, userId }) => live.revoke(userId, "The session has ended", id)));
}
