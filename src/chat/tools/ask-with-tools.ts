import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import type { Attachment } from "../../plugins/tool.ts";
import { readUpstreamAnswer, type UpstreamAnswer } from "../../upstream/answers/read-upstream-answer.ts";
import { idsIn } from "../../upstream/repair/call-ids.ts";
import { askModel, never, type Question, wantsUsage } from "../ask-model.ts";
import { answerInRounds } from "./answer-in-rounds.ts";
import type { ToolTurn } from "./turn.ts";

/**
 * Whether tools of the service may be offered for a request: one that brings tools of its own, also an empty list of them,
 * deals with their calls itself, and nothing is mixed.
 */
export function takesServerTools(body: Record<string, unknown>): boolean {
  return ["tools", "functions"].every((name) => body[name] === undefined || body[name] === null);
}

/**
 * Asks a model that may call the attached tools: as `askModel`, but its calls are made here, round by round, until it answers.
 * The caller gets one answer with the texts of all rounds, one finish reason and no calls. Lets go of the attachment when the
 * answer is over. When a signal fires, model and tools are let go at once.
 * @param question `signal` ends everything; `onDelta` is called for each piece of text of all rounds
 * @throws UpstreamError as `askModel`; AppError `validation_failed` for a request of several choices
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
    throw new AppError("validation_failed", "n: tools answer one choice at a time; send `tools: []` to do without", {
      param: "n",
    });
  }
  const abort = new AbortController();
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
      idleTimeoutMs: never,
    });
    if (answer.kind === "json") attachment.close();
    else void answer.finished.then(() => attachment.close());
    return answer;
  } catch (error) {
    attachment.close();
    throw error;
  }
}
