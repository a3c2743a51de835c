import { requirePermission, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";

/**
 * A person who may rate answers.
 * @throws AppError `forbidden`
 */
export function requireRating(ctx: Context): User {
  const user = requirePermission(ctx, "chat.rate_response");
  if (!ctx.settings.ENABLE_MESSAGE_RATING) throw new AppError("forbidden", "Ratings of answers are switched off");
  return user;
}
