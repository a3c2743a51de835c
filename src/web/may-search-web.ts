import { hasPermission, requirePermission, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { hasProvider } from "./search/providers.ts";

/** Whether the service searches the web for anybody. */
export function isSearchOn({ settings }: Pick<Context, "settings">): boolean {
  return settings.ENABLE_WEB_SEARCH && hasProvider(settings);
}

/** Whether the web may be searched for this person. */
export function maySearchWeb(ctx: Pick<Context, "settings">, user: User): boolean {
  return isSearchOn(ctx) && hasPermission(user, "features.web_search");
}

/**
 * A person for whom the web may be searched.
 * @throws AppError `forbidden`
 */
export function requireWebSearch(ctx: Context): User {
  const user = requirePermission(ctx, "features.web_search");
  if (!isSearchOn(ctx)) throw new AppError("forbidden", "Web search is switched off");
  return user;
}
