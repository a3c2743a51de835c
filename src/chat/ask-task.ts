import type { Context } from "../context.ts";
import type { ResolvedModel } from "../models/catalog/find-model.ts";
import { askModel } from "./ask-model.ts";
import { createFunctionCaller } from "./functions/function-caller.ts";

/** What a model does for a chat besides answering. */
interface Task {
  /** Its name, as pipes are told: `title_generation`. */
  task: string;
  prompt: string;
  chatId?: string | undefined;
  signal: AbortSignal;
}

/**
 * The text that a model answers to a task; undefined if there is no text. Filters do not run, because it is not a turn of the
 * conversation.
 * @throws AppError, UpstreamError as `askModel`
 */
export async function askTask(ctx: Context, model: ResolvedModel, asked: Task): Promise<string | undefined> {
  const { task, prompt, chatId, signal } = asked;
  const body = { model: model.id, messages: [{ role: "user", content: prompt }] };
  const functions =
    model.pipe &&
    createFunctionCaller(ctx, { model, place: { chatId, task }, request: body, signal, involved: [model.pipe] });
  try {
    const question = { body, stream: false, signal, functions, api: "task" as const };
    const reply = await askModel(ctx, { ...model, params: {} }, question);
    return reply.kind === "json" ? reply.reply.content : undefined;
  } finally {
    functions?.close();
  }
}
