import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";

/** The sign-in provider that externalId of people belongs to; undefined where none is named. */
export function findProvider(ctx: Pick<Context, "settings">): string | undefined {
  return ctx.settings.SCIM_AUTH_PROVIDER || undefined;
}

/** @throws AppError `internal_error` (500, as the interface has it) that names the variable. */
export function requireProvider(ctx: Pick<Context, "settings">): string {
  const provider = findProvider(ctx);
  if (provider === undefined)
    throw new AppError(
      "internal_error",
      "externalId cannot be used: SCIM_AUTH_PROVIDER is not set, so its sign-in provider is unknown",
    );
  return provider;
}
