import { lt } from "drizzle-orm";
import type { Services } from "../context.ts";
import { sessions } from "./auth/sessions/tables.ts";
import { networkLifetimeSeconds } from "./auth/sign-in/known-network.ts";
import { forgottenAfterSeconds } from "./auth/sign-in/slow-down.ts";
import { signInFailures, signInNetworks } from "./auth/sign-in/tables.ts";

/** Deletes expired data: sessions, with what they have open, old failed sign-ins, and networks. One batch. */
export async function sweepIdentity(services: Pick<Services, "db" | "now" | "live">): Promise<void> {
  const { db, live } = services;
  const [ended] = await db.batch([
    db.delete(sessions).where(lt(sessions.expiresAt, services.now())).returning({ userId: sessions.userId }),
    db.delete(signInFailures).where(lt(signInFailures.updatedAt, services.now() - forgottenAfterSeconds)),
    db.delete(signInNetworks).where(lt(signInNetworks.usedAt, services.now() - networkLifetimeSeconds)),
  ]);
  if (ended.length > 0) await live.recheck([...new Set(ended.map(({ userId }) => userId))]);
}
