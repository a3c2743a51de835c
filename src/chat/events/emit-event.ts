import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { EventSource } from "../../shared/live-protocol.ts";
import type { AnswerText } from "../answer-text.ts";
import { runInBrowser } from "./ask-question.ts";
import type { ChatEvent } from "./chat-event.ts";
import { writeText } from "./event-writer.ts";
import { readEvent } from "./event.ts";
import { isStored, refuse, where } from "./message-items.ts";
import { checkEvent } from "./read-event.ts";

/** What an event belongs to; undefined parts do not exist. */
export interface EmitPlace {
  chatId?: string | undefined;
  messageId?: string | undefined;
  runId?: string | undefined;
  /** Of an answer that is written in this request (an API call): events write into it too. */
  text?: AnswerText | undefined;
  /** The plugin. */
  by?: EventSource | undefined;
}

/**
 * Handles an event of a plugin: checks it, stores it, and shows it to the person's tabs. Resolves when it is stored.
 * Text is added to the answer before this returns, so that it keeps the order of the calls.
 * @param event `{type, data}` as received
 * @throws AppError `invalid_event` with what is wrong, `not_found` for a message that does not exist or is not the
 *   caller's, `payload_too_large`, `execute_not_allowed`
 */
export async function emitEvent(ctx: Context, place: EmitPlace, event: unknown): Promise<void> {
  if (checkEvent(event).type === "execute") return runInBrowser(ctx, place, event);
  // All begin before the first one is waited for.
  await Promise.all(readEvent(event).map((each) => emitOne(ctx, place, each)));
}

async function emitOne(ctx: Context, place: EmitPlace, event: ChatEvent): Promise<void> {
  const user = requireUser(ctx);
  const { chatId, messageId, runId, text } = place;
  const { kept, live } = event;
  const isOfChat = kept?.what === "title" || kept?.what === "tags";
  if (text && !text.isClosed && kept?.what === "text") {
    refuse(writeText(text, kept));
  } else if (kept === null || !isStored(chatId) || (messageId === undefined && !isOfChat)) {
    await ctx.live.publish(user.id, { ...where(place), data: live });
  } else {
    refuse(await ctx.live.emit(user.id, { chatId, messageId, runId }, event));
  }
}
