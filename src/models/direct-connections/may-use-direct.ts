import { hasPermission, requirePermission, requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";

type DirectContext = Pick<Context, "actor" | "settings">;

/** Whether the caller's own connections are used now: the service, their organization and their permissions allow it. */
export function mayUseDirect(ctx: DirectContext): boolean {
  return ctx.settings.ENABLE_DIRECT_CONNECTIONS && hasPermission(requireUser(ctx), "features.direct_connections");
}

/** @throws AppError `forbidden` */
export function requireDirect(ctx: DirectContext): User {
  const user = requireUser(ctx);
  if (!ctx.settings.ENABLE_DIRECT_CONNECTIONS)
    throw new AppError("forbidden", "Direct connections are off: ENABLE_DIRECT_CONNECTIONS");
  requirePermission(ctx, "features.direct_connections");
  return user;
}
