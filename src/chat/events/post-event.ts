import { and, eq } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { messages } from "../../stored-chats/tables.ts";
import { emitEvent } from "./emit-event.ts";
import { readEvent } from "./event.ts";
import { isStored } from "./message-items.ts";
import { checkEvent } from "./read-event.ts";

/**
 * Handles an event of an external tool for a message. Questions (`confirmation`, `input`) are rejected, because there
 * is nobody to return the answer to. `execute` is accepted if ENABLE_EXTERNAL_EXECUTE is on, and does not return a
 * result either.
 * @throws AppError `not_found` for a chat that is not the caller's and for a message that is not in it; `invalid_event`
 *   with what is wrong; `execute_not_allowed`; `payload_too_large`
 */
export async function postEvent(ctx: Context, chatId: string, messageId: string, event: unknown): Promise<void> {
  requireUser(ctx);
  const isCode = checkEvent(event).type === "execute";
  // What is stored with the message proves that it is there.
  const isProven =
    !isCode &&
    isStored(chatId) &&
    readEvent(event).some(({ kept }) => kept && kept.what !== "title" && kept.what !== "tags");
  if (!isProven) await requireMessage(ctx, chatId, messageId);
  if (isCode && !ctx.settings.ENABLE_EXTERNAL_EXECUTE)
    throw new AppError(
      "execute_not_allowed",
      "External tools may not run code in the browser. An administrator can allow it (ENABLE_EXTERNAL_EXECUTE)",
    );
  await emitEvent(ctx, { chatId, messageId }, event);
}

/** @throws AppError `not_found` */
async function requireMessage(ctx: Context, chatId: string, messageId: string): Promise<void> {
  const [message] = await ctx.db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.chatId, chatId), eq(messages.id, messageId), eq(messages.userId, requireUser(ctx).id)));
  if (!message) throw new AppError("not_found", "No such message in your chats");
}
