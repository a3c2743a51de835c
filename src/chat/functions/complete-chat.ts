import { and, eq, ne } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { textsIn } from "../../lib/json.ts";
import { findModel } from "../../models/catalog/find-model.ts";
import { filtersFor } from "../../plugins/function-index.ts";
import { chats } from "../../stored-chats/tables.ts";
import { tellOfCompleted } from "../../webhooks/notice-of-reply.ts";
import { isStored } from "../events/message-items.ts";
import { createFunctionCaller } from "./function-caller.ts";
import { runOutlets } from "./run-outlets.ts";

/** The payload of a finished chat: what clients send to have it filtered. */
export interface FinishedChat {
  model: string;
  chat_id?: string | null | undefined;
  id?: unknown;
  session_id?: unknown;
  filter_ids?: unknown;
  [extra: string]: unknown;
}

/**
 * The payload as the outlet filters leave it: those that a conversation with the model would have. Nothing is stored; anyone who
 * wants to hear of finished answers is told of this one.
 * @throws AppError `model_not_found`; `not_found` for another person's chat; in the words of a filter that fails
 */
export async function completeChat(
  ctx: Context,
  payload: FinishedChat,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const model = await findModel(ctx, payload.model);
  const { chat_id: chatId, id } = payload;
  if (isStored(chatId ?? undefined)) {
    await refuseOthersChat(ctx, chatId!);
    await tellOfCompleted(ctx, chatId!, typeof id === "string" ? id : undefined);
  }
  const filters = filtersFor(model.functions, model.metas, textsIn(payload.filter_ids)).filter(({ info }) =>
    info.hooks.includes("outlet"),
  );
  if (filters.length === 0) return payload;
  const functions = createFunctionCaller(ctx, {
    model,
    place: {
      chatId: payload.chat_id ?? undefined,
      messageId: typeof payload.id === "string" ? payload.id : undefined,
      sessionId: typeof payload.session_id === "string" ? payload.session_id : undefined,
    },
    request: payload,
    signal,
    involved: filters,
  });
  try {
    return await runOutlets(filters, functions, payload, signal, (_, error) => {
      throw error;
    });
  } finally {
    functions.close();
  }
}

/** An id that no chat has passes: clients may keep their chats themselves. @throws AppError `not_found` */
async function refuseOthersChat(ctx: Context, chatId: string): Promise<void> {
  const isOthers = and(eq(chats.id, chatId), ne(chats.userId, requireUser(ctx).id));
  const [found] = await ctx.db.select({ id: chats.id }).from(chats).where(isOthers);
  if (found) throw new AppError("not_found", "No such chat", { param: "chat_id" });
}
