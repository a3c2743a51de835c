import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";

/** @throws AppError `password_auth_disabled` where people come by their identity provider only. */
export function requirePasswordAuth(ctx: Context): void {
  if (!ctx.settings.ENABLE_PASSWORD_AUTH)
    throw new AppError("password_auth_disabled", "Password sign-in is switched off: use your identity provider");
}
