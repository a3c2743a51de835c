import { hasPermission, requirePermission, type User } from "../access.ts";
import type { Context } from "../context.ts";

/** The permission for each parameter of a chat: instructions have a permission of their own. */
const permissionFor = (name: string) =>
  name === "system" || name === "personal_instructions" ? "chat.system_prompt" : "chat.params";

/**
 * Parameters with which a person may override those of a model.
 * @throws AppError `forbidden`
 */
export function requireParams(ctx: Context, params: Record<string, unknown> | null | undefined): void {
  for (const name of Object.keys(params ?? {})) requirePermission(ctx, permissionFor(name));
}

/** The stored parameters that the person may use now: permissions may have been revoked since they were stored. */
export function usableParams(user: User, params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => hasPermission(user, permissionFor(name))));
}
