import { and, eq, inArray, ne } from "drizzle-orm";
import { requireSession, type User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/batch.ts";
import { AppError } from "../../../errors.ts";
import { readCookie, sessionCookie } from "../../../http/cookies.ts";
import { keyHeaderOf } from "../api-keys/key-header.ts";
import type { Caller } from "../sign-in/caller.ts";
import { signedOutRow } from "../sign-in/note-sign-in.ts";
import { sessions } from "./tables.ts";

/** The caller's own session; undefined for an API key. */
export function ownSessionId(user: User): string | undefined {
  return user.credential.kind === "session" ? user.credential.sessionId : undefined;
}

/**
 * Closes sockets and stops runs of deleted sessions: of the given ones, or of all of the person. The deletion has
 * already happened, so a failure here is only logged.
 */
export async function closeLive(ctx: Context, userId: string, reason: string, sessionIds?: string[]): Promise<void> {
  const closing = sessionIds
    ? sessionIds.map((id) => ctx.live.revoke(userId, reason, id))
    : [ctx.live.revoke(userId, reason)];
  for (const result of await Promise.allSettled(closing)) {
    if (result.status === "rejected")
      ctx.log.warn("could not close live connections", { user_id: userId, error: result.reason });
  }
}

/**
 * Ends the sessions of every token in the request, valid or not.
 * @param headers of the request
 * @param caller for the audit log
 * @returns what is known of their provider, for signing out there too
 */
export async function signOut(
  ctx: Context,
  headers: Headers,
  caller: Caller,
): Promise<{ provider: string | null; sealedIdToken: string | null }[]> {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("authorization")?.trim() ?? "")?.[1];
  const presented = [
    bearer,
    headers.get(keyHeaderOf(ctx.environment))?.trim(),
    readCookie(headers.get("cookie"), sessionCookie),
  ];
  const tokens = presented.filter(
    (token): token is string => token !== undefined && token !== "" && !token.startsWith("sk-"),
  );
  const claims = (await Promise.all([...new Set(tokens)].map((token) => ctx.tokens.verify(token)))).filter(
    (claim) => claim !== undefined,
  );
  if (claims.length === 0) return [];
  const ids = claims.map((claim) => claim.jti);
  const results = await runBatch(ctx.db, [
    ...claims.map(({ jti, id }) => signedOutRow(ctx, { id: jti, userId: id }, caller)),
    ctx.db.delete(sessions).where(inArray(sessions.id, ids)).returning({
      id: sessions.id,
      userId: sessions.userId,
      provider: sessions.provider,
      sealedIdToken: sessions.sealedIdToken,
    }),
  ]);
  const ended = results.at(-1) as Pick<typeof sessions.$inferSelect, "id" | "userId" | "provider" | "sealedIdToken">[];
  await Promise.all(ended.map((session) => closeLive(ctx, session.userId, "signed_out", [session.id])));
  return ended;
}

/**
 * Ends one of the caller's sessions, possibly the current one.
 * @returns whether it was the current one
 * @throws AppError `not_found` for a session that is not the caller's.
 */
export async function endSession(ctx: Context, sessionId: string): Promise<{ current: boolean }> {
  const user = requireSession(ctx);
  const ended = await ctx.db
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, user.id)))
    .returning({ id: sessions.id });
  if (ended.length === 0) throw new AppError("not_found", "No such session");
  await closeLive(ctx, user.id, "session_ended", [sessionId]);
  return { current: ownSessionId(user) === sessionId };
}

/** Ends all sessions of the caller except the current one; with an API key, all of them. */
export async function endOtherSessions(ctx: Context): Promise<{ ended: number }> {
  const user = requireSession(ctx);
  const ended = await otherSessions(ctx, user).returning({ id: sessions.id });
  await closeLive(
    ctx,
    user.id,
    "session_ended",
    ended.map((session) => session.id),
  );
  return { ended: ended.length };
}

/** The statement, for batches that also do something else. */
export function otherSessions(ctx: Context, user: User) {
  const own = ownSessionId(user);
  return ctx.db
    .delete(sessions)
    .where(own === undefined ? eq(sessions.userId, user.id) : and(eq(sessions.userId, user.id), ne(sessions.id, own)));
}
