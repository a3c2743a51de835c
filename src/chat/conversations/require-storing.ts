import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
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

/**
 * Requires that a chat may have so many messages.
 * @throws AppError `validation_failed`
 */
export function requireRoom({ settings }: Pick<Context, "settings">, count: number): void {
  const max = settings.MAX_CHAT_MESSAGES;
  if (count > max)
    throw new AppError("validation_failed", `A chat can have at most ${max} messages: this one would have ${count}`, {
      param: "chat.history.messages",
    });
}
