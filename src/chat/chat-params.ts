import { hasPermission, requirePermission, type User } from "../access.ts";
import type { Context } from "../context.ts";

/** What each parameter of a chat needs: instructions are a right of their own. */
const permissionFor = (name: string) => (name === "system" ? "chat.system_prompt" : "chat.params");

/** What a person may lay over a model's own parameters. @throws AppError `forbidden` */
export function requireParams(ctx: Context, params: Record<string, unknown> | null | undefined): void {
  for (const name of Object.keys(params ?? {})) requirePermission(ctx, permissionFor(name));
}

/** Those of a stored chat that the person may use now: rights may have gone since they were stored. */
export function usableParams(user: User, params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => hasPermission(user, permissionFor(name))));
}
