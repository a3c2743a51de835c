import { and, eq, isNull, lt, lte, or } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { users } from "../users/tables.ts";
import { apiKeys } from "./api-keys/tables.ts";
import { sessions } from "./sessions/tables.ts";

/** Seconds between two notes of the same credential's use. */
const intervalSeconds = 60;

/**
 * Notes that the credential and its person were active: at most once a minute, after the answer, in one batch.
 * Two requests that race both find the older time; the condition lets one of them write.
 */
export function noteUse(ctx: Context, user: User, lastUsedAt: number): void {
  const now = ctx.now();
  if (now - lastUsedAt < intervalSeconds) return;
  const { credential } = user;
  const due = now - intervalSeconds;
  const used =
    credential.kind === "session"
      ? ctx.db
          .update(sessions)
          .set({ lastUsedAt: now })
          .where(and(eq(sessions.id, credential.sessionId), lte(sessions.lastUsedAt, due)))
      : ctx.db
          .update(apiKeys)
          .set({ lastUsedAt: now })
          .where(and(eq(apiKeys.id, credential.keyId), or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, due))));
  const active = ctx.db
    .update(users)
    .set({ lastActiveAt: now })
    .where(and(eq(users.id, user.id), lt(users.lastActiveAt, now)));
  ctx.waitUntil(
    ctx.db.batch([used, active]).catch((error: unknown) => ctx.log.warn("could not store the last use", { error })),
  );
}
