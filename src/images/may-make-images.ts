import { hasPermission, requirePermission, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";

/** Whether the service has pictures made for anybody. */
export function areImagesOn({ settings }: Pick<Context, "settings">): boolean {
  const { ENABLE_IMAGE_GENERATION, IMAGE_GENERATION_CONNECTION, IMAGE_GENERATION_MODEL } = settings;
  return ENABLE_IMAGE_GENERATION && IMAGE_GENERATION_CONNECTION !== "" && IMAGE_GENERATION_MODEL !== "";
}

export function mayMakeImages(ctx: Pick<Context, "settings">, user: User): boolean {
  return areImagesOn(ctx) && hasPermission(user, "features.image_generation");
}

/**
 * A person who may have pictures made.
 * @throws AppError `forbidden`
 */
export function requireImages(ctx: Context): User {
  const user = requirePermission(ctx, "features.image_generation");
  if (!areImagesOn(ctx)) throw new AppError("forbidden", "Pictures by models are switched off");
  return user;
}
