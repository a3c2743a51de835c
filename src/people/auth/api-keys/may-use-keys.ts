import { hasPermission, type User } from "../../../access.ts";
import type { Settings } from "../../../context.ts";
import { AppError } from "../../../errors.ts";

/**
 * Requires that the person's keys may be used now; checked on every use, because permissions may change.
 * @throws AppError `account_pending`; `key_not_allowed` (403) while keys are switched off, and without the permission.
 */
export function requireKeysAllowed(user: User, settings: Settings): void {
  if (user.role === "pending")
    throw new AppError("account_pending", "An administrator has to activate this account first");
  if (!settings.ENABLE_API_KEYS) throw new AppError("key_not_allowed", "API keys are switched off");
  // Administrators make the keys of service accounts.
  if (user.accountKind === "service") return;
  if (!hasPermission(user, "features.api_keys"))
    throw new AppError("key_not_allowed", "You need the permission features.api_keys. Ask an administrator for it");
}
