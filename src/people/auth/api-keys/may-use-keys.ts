import { hasPermission, type User } from "../../../access.ts";
import type { Settings } from "../../../context.ts";
import { AppError } from "../../../errors.ts";

/**
 * Whether a person's keys are worth anything at this moment; asked on every use, as what decides it may change behind a key.
 * @throws AppError `account_pending`; `key_not_allowed` (403) while keys are switched off, and without the permission.
 */
export function requireKeysAllowed(user: User, settings: Settings): void {
  if (user.role === "pending")
    throw new AppError("account_pending", "An administrator has to activate this account first");
  if (!settings.ENABLE_API_KEYS) throw new AppError("key_not_allowed", "API keys are switched off");
  if (!hasPermission(user, "features.api_keys"))
    throw new AppError("key_not_allowed", "You need the permission features.api_keys. Ask an administrator for it");
}
