import { hasPermission, requirePermission, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";

/**
 * A person who may use memories.
 * @throws AppError `forbidden`
 */
export function requireMemories(ctx: Context): User {
  const user = requirePermission(ctx, "features.memories");
  if (!ctx.settings.ENABLE_MEMORIES) throw new AppError("forbidden", "Memories are switched off");
  return user;
}

export function mayUseMemories({ settings }: Pick<Context, "settings">, user: User): boolean {
  return settings.ENABLE_MEMORIES && hasPermission(user, "features.memories");
}
