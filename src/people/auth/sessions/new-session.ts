import type { Context } from "../../../context.ts";
import { parseDuration } from "../../../lib/duration.ts";
import { newId } from "../../../lib/id.ts";
import type { sessions } from "./tables.ts";

/** A session that is about to be stored, and the token that is worth something once it is. */
export interface NewSession {
  row: typeof sessions.$inferInsert;
  token: string;
  /** Epoch seconds; null for one without an end. */
  expiresAt: number | null;
}

/** Made from the settings of this moment: `JWT_EXPIRES_IN`. The caller inserts the row. */
export async function newSession(ctx: Context, userId: string, userAgent: string): Promise<NewSession> {
  const id = newId();
  const now = ctx.now();
  const lifetime = parseDuration(ctx.settings.JWT_EXPIRES_IN) ?? null;
  const expiresAt = lifetime === null ? null : now + lifetime;
  const token = await ctx.tokens.sign({ id: userId, jti: id, iat: now }, expiresAt);
  return {
    row: { id, userId, userAgent: userAgent.slice(0, 300), createdAt: now, lastUsedAt: now, expiresAt },
    token,
    expiresAt,
  };
}
