import { requireUser, type User } from "../../access.ts";
import { AppError } from "../../errors.ts";

/** Whether the person may have only temporary chats. */
export function isTemporaryOnly(user: User): boolean {
  return user.permissions.chat.temporary_enforced;
}

/**
 * Requires a person whose chats may be stored.
 * @throws AppError `forbidden`
 */
export function requireStoring(ctx: Parameters<typeof requireUser>[0]): User {
  const user = requireUser(ctx);
  if (isTemporaryOnly(user)) throw new AppError("forbidden", "This account may only have temporary chats");
  return user;
}
