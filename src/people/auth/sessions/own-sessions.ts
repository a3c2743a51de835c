import { and, desc, eq, gt, isNull, or } from "drizzle-orm";
import { requireSession } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { shownStatus, statusColumns } from "../../users/own-status.ts";
import { users } from "../../users/tables.ts";
import type { OwnSession } from "../sign-in/schema.ts";
import { sessionResponse } from "../sign-in/signed-in.ts";
import { ownSessionId } from "./end-sessions.ts";
import type { SessionList } from "./schema.ts";
import { sessions } from "./tables.ts";

/** The caller's active sessions, last used first. */
export async function listSessions(ctx: Context): Promise<SessionList> {
  const user = requireSession(ctx);
  const own = ownSessionId(user);
  const rows = await ctx.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, user.id), or(isNull(sessions.expiresAt), gt(sessions.expiresAt, ctx.now()))))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id));
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      current: row.id === own,
      created_at: row.createdAt,
      last_used_at: row.lastUsedAt,
      expires_at: row.expiresAt,
      user_agent: row.userAgent,
    })),
  };
}

/**
 * The signed-in person with profile.
 * @param token the presented token; it is returned unchanged, also an API key, as in Open WebUI
 */
export async function getOwnSession(ctx: Context, token: string): Promise<OwnSession> {
  const user = requireSession(ctx);
  const [row] = await ctx.db
    .select({
      bio: users.bio,
      gender: users.gender,
      dateOfBirth: users.dateOfBirth,
      timezone: users.timezone,
      ...statusColumns,
      expiresAt: sessions.expiresAt,
    })
    .from(users)
    .leftJoin(sessions, eq(sessions.id, ownSessionId(user) ?? ""))
    .where(eq(users.id, user.id));
  if (!row) throw new AppError("session_ended", "The account was deleted");
  return {
    ...sessionResponse(user, { token, expiresAt: row.expiresAt }),
    bio: row.bio,
    gender: row.gender,
    date_of_birth: row.dateOfBirth,
    timezone: row.timezone,
    ...shownStatus(ctx, row),
  };
}
