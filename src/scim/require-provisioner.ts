import type { Actor, Provisioner } from "../access.ts";
import { AppError } from "../errors.ts";

/** The identity provider. @throws AppError `forbidden`. */
export function requireProvisioner(ctx: { actor: Actor }): Provisioner {
  if (ctx.actor.kind !== "scim") throw new AppError("forbidden", "Only the identity provider can do this");
  return ctx.actor;
}
