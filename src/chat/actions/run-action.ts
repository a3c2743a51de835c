import { and, eq } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { findModel, type ResolvedModel } from "../../models/catalog/find-model.ts";
import { pluginError } from "../../plugins/failure.ts";
import { actionsFor } from "../../plugins/function-index.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import { chats, messages } from "../../stored-chats/tables.ts";
import { isStored } from "../events/message-items.ts";
import { createFunctionCaller } from "../functions/function-caller.ts";
import { storeTexts, type NewText } from "../functions/store-texts.ts";
import type { ActionBody } from "./schema.ts";

/**
 * Runs an action (a button under a message). What it returns for messages of a stored chat (`{content}` for the message
 * itself, or `{messages: [{id, content}]}`) is stored and shown.
 * @param actionId `<function>`, or `<function>.<sub>` if it declares several
 * @returns what the action returned
 * @throws AppError `not_found` for an action that the model does not have, and for a chat or message that is not the
 *   caller's; `model_not_found`; with the message of an action that fails
 */
export async function runAction(
  ctx: Context,
  actionId: string,
  body: ActionBody,
  signal: AbortSignal,
): Promise<unknown> {
  const model = await findModel(ctx, body.model, { direct: true });
  const { action, sub } = findAction(model, actionId);
  await requireMessage(ctx, body);
  const functions = createFunctionCaller(ctx, {
    model,
    place: {
      chatId: body.chat_id ?? undefined,
      messageId: body.id ?? undefined,
      sessionId: body.session_id ?? undefined,
    },
    request: body,
    signal,
    involved: [action],
  });
  try {
    const result = await functions.call(action, "action", { body }, { id: sub ?? action.id });
    if (!result.ok) throw pluginError(result.error, action.name);
    if (isStored(body.chat_id ?? undefined)) await storeTexts(ctx, body.chat_id!, textsOf(body, result.value));
    return result.value ?? null;
  } finally {
    functions.close();
  }
}

function findAction(model: ResolvedModel, actionId: string): { action: PluginEntry; sub: string | undefined } {
  const dot = actionId.indexOf(".");
  const id = dot < 0 ? actionId : actionId.slice(0, dot);
  const sub = dot < 0 ? undefined : actionId.slice(dot + 1);
  const action = actionsFor(model.functions, model.metas).find((entry) => entry.id === id);
  const isThere = action && (sub === undefined || action.info.actions.some((each) => each.id === sub));
  if (!isThere)
    throw new AppError("not_found", `${model.name} has no action ${JSON.stringify(actionId.slice(0, 200))}`);
  return { action, sub };
}

/** @throws AppError `not_found` for a stored chat or a message that is not the caller's */
async function requireMessage(ctx: Context, { chat_id: chatId, id }: ActionBody): Promise<void> {
  if (!chatId || !isStored(chatId)) return;
  const ofMessage = and(eq(messages.chatId, chats.id), eq(messages.id, id ?? ""));
  const [found] = await ctx.db
    .select({ message: messages.id })
    .from(chats)
    .leftJoin(messages, ofMessage)
    .where(and(eq(chats.id, chatId), eq(chats.userId, requireUser(ctx).id)));
  if (!found) throw new AppError("not_found", "No such chat", { param: "chat_id" });
  if (id && found.message === null) throw new AppError("not_found", "No such message in this chat", { param: "id" });
}

/** New texts of messages in the action's result. Texts that are returned unchanged are not included. */
function textsOf(body: ActionBody, value: unknown): NewText[] {
  if (!isRecord(value)) return [];
  const { content, messages } = value;
  const sent = new Map((body.messages ?? []).map((message) => [message["id"], message["content"]]));
  const listed = (Array.isArray(messages) ? (messages as unknown[]) : []).filter(isRecord);
  const named = typeof content === "string" && body.id ? [{ id: body.id, content }] : [];
  return [...listed, ...named].flatMap((message): NewText[] => {
    const { id, content: text } = message;
    if (typeof id !== "string" || typeof text !== "string" || sent.get(id) === text) return [];
    return [{ id, content: text }];
  });
}
