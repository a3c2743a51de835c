import { requirePermission } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { findModel } from "../models/catalog/find-model.ts";
import { maxAnswers, type CompletionRequest } from "./completions/schema.ts";
import { startTurn, type StartedTurn } from "./start-turn.ts";

/** Which model answers into which message. */
interface WantedAnswer {
  model: string;
  id: string;
}

/**
 * Starts the answers of one or more models to the same question, each as its own run in the caller's session
 * coordinator. The first one creates the chat, if there is none, and becomes the current answer. Repeating it with the
 * same ids returns the same runs, and starts those that a failure in between has left out.
 * @throws AppError as `startTurn`; `forbidden` for several models without the permission to compare, and
 *   `validation_failed` if they are not named correctly, both before anything is stored
 */
export async function startTurns(ctx: Context, request: CompletionRequest): Promise<StartedTurn> {
  const { message_ids: _, ...rest } = request;
  const [first, ...others] = wantedAnswers(request);
  if (!request.session_id) throw invalid("session_id", "required for answers in the background, as with message_ids");
  if (!first || others.length === 0) return startTurn(ctx, first ? { ...rest, ...first } : rest);

  requirePermission(ctx, "chat.multiple_models");
  const questionId = request.user_message?.id ?? request.parent_id;
  if (request.continue) throw invalid("message_ids", "only one answer at a time can be continued");
  if (!questionId)
    throw invalid("user_message", "several models need a question with an id, or the parent_id of a stored question");
  const wanted = [first, ...others];
  if (new Set(wanted.map(({ id }) => id)).size < wanted.length)
    throw invalid("message_ids", "each answer needs an id of its own");
  for (const { model } of wanted) await findModel(ctx, model, { direct: true });

  const models = wanted.map(({ model }) => model);
  const question = request.user_message && { user_message: { models, ...request.user_message } };
  const started = await startTurn(ctx, { ...rest, ...question, ...first }, { models, isBeside: false });
  const turn: StartedTurn = { ...started, task_ids: [...started.task_ids] };
  // One after the other: in this order they stand below the question.
  for (const other of others) {
    const { user_message: _question, ...below } = rest;
    const background = { ...request.background_tasks, title_generation: false, tags_generation: false };
    const beside = await startTurn(
      ctx,
      { ...below, ...other, chat_id: started.chat_id, parent_id: questionId, background_tasks: background },
      { models, isBeside: true },
    );
    turn.task_ids.push(...beside.task_ids);
  }
  return turn;
}

function wantedAnswers({ message_ids: given, model, id }: CompletionRequest): WantedAnswer[] {
  if (!given) return id ? [{ model, id }] : [];
  const wanted = Array.isArray(given)
    ? given.map((each) => ({ model: each.model_id, id: each.message_id }))
    : Object.entries(given).map(([name, messageId]) => ({ model: name, id: messageId }));
  if (wanted.length === 0) throw invalid("message_ids", "contains no model");
  if (wanted.length > maxAnswers) throw invalid("message_ids", `at most ${maxAnswers} models can answer one question`);
  return wanted;
}

function invalid(param: string, message: string): AppError {
  return new AppError("validation_failed", `${param}: ${message}`, { param });
}
