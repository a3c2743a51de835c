import { eq, sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { cleanText } from "../../lib/clean-text.ts";
import type { OwnStatus, StatusChange, UserStatus } from "./schema.ts";
import { users } from "./tables.ts";

export const statusColumns = {
  statusEmoji: users.statusEmoji,
  statusMessage: users.statusMessage,
  statusExpiresAt: users.statusExpiresAt,
};

export type StatusRow = { [K in keyof typeof statusColumns]: (typeof users.$inferSelect)[K] };

const none: UserStatus = { status_emoji: null, status_message: null, status_expires_at: null };

/** The status as others see it: none from its end on. */
export function shownStatus(ctx: Context, row: StatusRow): UserStatus {
  const { statusEmoji, statusMessage, statusExpiresAt } = row;
  if (statusExpiresAt !== null && statusExpiresAt <= ctx.now()) return none;
  return { status_emoji: statusEmoji, status_message: statusMessage, status_expires_at: statusExpiresAt };
}

/** SQL: columns `status_emoji` and `status_message` of the people under that name, as `shownStatus` shows them. */
export function shownStatusOf(person: string): SQL {
  const isCurrent = `coalesce(${person}.status_expires_at > unixepoch(), 1)`;
  return sql.raw(
    ["status_emoji", "status_message"]
      .map((name) => `iif(${isCurrent}, ${person}.${name}, NULL) AS ${name}`)
      .join(", "),
  );
}

/** @throws AppError `forbidden` where the setting is off */
export function requireStatus(ctx: Context): void {
  requireUser(ctx);
  if (!ctx.settings.ENABLE_USER_STATUS) throw new AppError("forbidden", "Status messages are switched off");
}

/** The caller's own status. */
export async function getOwnStatus(ctx: Context): Promise<OwnStatus> {
  const { id, name } = requireUser(ctx);
  const [row] = await ctx.db.select(statusColumns).from(users).where(eq(users.id, id));
  return { id, name, ...(row ? shownStatus(ctx, row) : none) };
}

/**
 * Changes the given fields of the caller's status: null and "" remove a value. A status without emoji and text has no end
 * either.
 */
export async function setOwnStatus(ctx: Context, change: StatusChange): Promise<OwnStatus> {
  const { id, name } = requireUser(ctx);
  const { status_emoji: emoji, status_message: message, status_expires_at: expiresAt } = change;
  const isEmpty = emoji !== undefined && message !== undefined && !emoji && !message;
  const values: Partial<StatusRow> = {
    ...(emoji === undefined ? {} : { statusEmoji: emoji || null }),
    ...(message === undefined ? {} : { statusMessage: cleanText(message ?? "").trim() || null }),
    ...(isEmpty ? { statusExpiresAt: null } : expiresAt === undefined ? {} : { statusExpiresAt: expiresAt }),
  };
  const [row] = await ctx.db
    .update(users)
    .set({ ...values, updatedAt: ctx.now() })
    .where(eq(users.id, id))
    .returning(statusColumns);
  if (!row) throw new AppError("session_ended", "The account was deleted");
  return { id, name, ...shownStatus(ctx, row) };
}
