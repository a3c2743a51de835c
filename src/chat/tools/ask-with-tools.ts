import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { StopController } from "../../lib/stop-signal.ts";
import { neverMs } from "../../lib/timers.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import type { Attachment } from "../../plugins/tool.ts";
import { readUpstreamAnswer, type UpstreamAnswer } from "../../upstream/answers/read-upstream-answer.ts";
import { idsIn } from "../../upstream/repair/call-ids.ts";
import { askModel, type Question, wantsUsage } from "../ask-model.ts";
import { answerInRounds } from "./answer-in-rounds.ts";
import type { ToolTurn } from "./turn.ts";

/**
 * Whether the service's tools may be offered: a request that brings its own tools, or an empty list of them, handles
 * their calls itself; the two are not mixed.
 */
export function takesServerTools(body: Record<string, unknown>): boolean {
  return ["tools", "functions"].every((name) => body[name] === undefined || body[name] === null);
}

/**
 * Asks a model that may call the attached tools: like `askModel`, but calls are executed here, round by round, until it
 * answers. The caller gets one answer with the texts of all rounds, one finish reason and no calls. Closes the
 * attachment when the answer has ended. When a signal fires, model and tools are stopped immediately.
 * @param question `signal` ends everything; `onDelta` is called for each piece of text of all rounds
 * @throws UpstreamError as `askModel`; AppError `validation_failed` for a request for several choices
 */
export async function askWithTools(
  ctx: Context,
  model: ResolvedModel,
  question: Question,
  attachment: Attachment,
  turn: ToolTurn,
): Promise<UpstreamAnswer> {
  const { body, stream, signal, refusal, onDelta } = question;
  if (attachment.tools.length === 0 || !takesServerTools(body)) {
    attachment.close();
    return askModel(ctx, model, question);
  }
  if (typeof body["n"] === "number" && body["n"] > 1) {
    attachment.close();
    throw new AppError(
      "validation_failed",
      "n: only one choice is possible with tools; send `tools: []` to switch them off",
      {
        param: "n",
      },
    );
  }
  const abort = new StopController();
  const messages = Array.isArray(body["messages"]) ? (body["messages"] as unknown[]).filter(isRecord) : [];
  const answering = answerInRounds(ctx, {
    model,
    question: { ...question, signal: abort.signal, refusal: undefined, onDelta: undefined },
    messages,
    tools: attachment.tools,
    turn,
    usedIds: idsIn(messages),
    onText: stream ? undefined : onDelta,
  });
  try {
    const answer = await readUpstreamAnswer(answering, {
      model: model.id,
      stream,
      includeUsage: wantsUsage(body),
      now: () => ctx.now(),
      onDelta,
      secrets: model.secrets,
      signal,
      refusal,
      onCancel: (reason) => abort.abort(reason),
      // Each call of the model, and each tool, has a limit of its own.
      idleTimeoutMs: neverMs,
    });
    if (answer.kind === "json") attachment.close();
    else void answer.finished.then(() => attachment.close());
    return answer;
  } catch (error) {
    attachment.close();
    throw error;
  }
}
