import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Emitted, Kept } from "./chat-event.ts";

/** Event type for each kind of named item. */
const liveTypes = { tool: "chat:tool" } as const;

/**
 * Stores a named item of a message, such as a tool call, and shows it to the person's tabs. Outside stored chats it is
 * only shown.
 * @param data the complete item; replaces the one with this name
 * @throws AppError `not_found` for a message that does not exist or is not the caller's
 */
export async function putMessageItem(
  ctx: Context,
  place: { chatId: string | undefined; messageId: string | undefined; runId?: string | undefined },
  kind: "tool",
  name: string,
  data: Record<string, unknown>,
): Promise<void> {
  const user = requireUser(ctx);
  const { chatId, messageId, runId } = place;
  const live = { type: liveTypes[kind], data };
  if (!isStored(chatId) || messageId === undefined) {
    await ctx.live.publish(user.id, { ...where(place), data: live });
    return;
  }
  const kept: Kept = { what: "items", kind, mode: "put", name, items: [data] };
  refuse(await ctx.live.emit(user.id, { chatId, messageId, runId }, { live, kept }));
}

/** @throws AppError for an event that could not be stored. */
export function refuse(outcome: Emitted): void {
  if (outcome === "missing") throw new AppError("not_found", "No such message in your chats");
  if (outcome === "full") throw new AppError("payload_too_large", "The message is full");
}

/**
 * Whether a chat is stored: ids with these prefixes exist in the client only, and `channel:` means a channel, as in
 * Open WebUI.
 */
export function isStored(chatId: string | undefined): chatId is string {
  return chatId !== undefined && !/^(temporary|local|channel):/.test(chatId);
}

/** A place in the format for tabs. */
export function where(place: {
  chatId?: string | undefined;
  messageId?: string | undefined;
  runId?: string | undefined;
}) {
  return {
    ...(place.chatId === undefined ? {} : { chat_id: place.chatId }),
    ...(place.messageId === undefined ? {} : { message_id: place.messageId }),
    ...(place.runId === undefined ? {} : { run_id: place.runId }),
  };
}
