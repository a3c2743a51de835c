import { type Context, createContext, type Services, servicesWithin } from "../context.ts";
import { AppError } from "../errors.ts";
import { readTraceparent } from "../lib/traces/trace-context.ts";
import { findModel } from "../models/catalog/find-model.ts";
import { resolveActorById } from "../people/auth/resolve-actor.ts";
import type { RunStart } from "../ports.ts";
import type { Reply } from "../upstream/answers/accumulate-reply.ts";
import { UpstreamError } from "../upstream/errors/upstream-error.ts";
import { noticeOfReply } from "../webhooks/notice-of-reply.ts";
import type { AnswerText } from "./answer-text.ts";
import { fitTurn } from "./compaction/fit-turn.ts";
import { isTooLong } from "./compaction/is-too-long.ts";
import { createAnswerWriter } from "./conversations/answer-writer.ts";
import type { MessageError } from "./conversations/read-stored-message.ts";
import type { AnswerEnd, AnswerText as Texts } from "./conversations/write-answer.ts";
import { converse } from "./converse.ts";
import { drainAnswer } from "./drain-answer.ts";
import { withInstructions } from "./folders/folder-context.ts";
import type { Outlet } from "./functions/outlet.ts";
import { generateTags } from "./generate-tags.ts";
import { ReasoningClock } from "./reasoning-clock.ts";
import { writeTitle } from "./title.ts";
import { failureOf } from "./tools/read-round.ts";

/** Observes a run. */
export interface TurnObserver {
  /** The answer has ended and is stored; called once. */
  ended(end: TurnEnd): void;
}

export interface TurnEnd extends AnswerEnd, Texts {
  /** The upstream's finish reason; null if the answer is incomplete. */
  finishReason: string | null;
}

/** Why a run was told to stop; the reason of its abort signal. */
export type StopReason = "stopped" | "revoked" | "lost";

/**
 * Answers one turn: reads the caller's current permissions and the model, writes text to `text` as it arrives and from
 * there to the database in steps, ends the answer, and writes a title for a new chat. Never throws: a failure also ends
 * the answer, with what has arrived.
 * @param text starts with the text of a continued answer; events may be written into it meanwhile
 * @param abort stops the run; what has arrived is kept
 */
export async function runTurn(
  services: Services,
  start: RunStart,
  text: AnswerText,
  observer: TurnObserver,
  abort: AbortController,
): Promise<void> {
  const { tracer } = services;
  const span = tracer?.start(
    { name: "run", kind: "internal", attributes: { "parley.run_id": start.runId } },
    readTraceparent(start.traceparent),
  );
  const traced = span ? servicesWithin(services, {}, span) : services;
  const end = await takeTurn(traced, start, text, observer, abort);
  span?.set({ ...tracer?.databaseAttributes, ...(end.state === "stopped" ? { "parley.aborted": true } : {}) });
  span?.end(end.error?.code);
}

async function takeTurn(
  services: Services,
  start: RunStart,
  text: AnswerText,
  observer: TurnObserver,
  abort: AbortController,
): Promise<TurnEnd> {
  const place = { chatId: start.chatId, messageId: start.messageId, runId: start.runId };
  const writer = createAnswerWriter(services, place, text, () => abort.abort("lost" satisfies StopReason));
  const startedAt = Date.now();
  const thinking = new ReasoningClock();
  let ctx: Context | undefined;
  let outlet: Outlet | undefined;
  let end: TurnEnd;
  try {
    ctx = await contextOfRun(services, start);
    const answered = await answer(ctx, start, { text, thinking }, abort.signal);
    ({ outlet } = answered);
    end = endOf(answered.reply, text, abort.signal);
    if (outlet && end.state === "done") end.extra = { ...end.extra, ...(await outlet.filter(text, abort.signal)) };
  } catch (error) {
    if (!(error instanceof UpstreamError || error instanceof AppError))
      services.log.error("a run failed", { run_id: start.runId, error });
    end = { ...textsOf(text), ...failed(error, abort.signal), finishReason: null };
  }
  const endedAt = Date.now();
  thinking.stop(endedAt);
  end.extra = {
    ...end.extra,
    ...(end.finishReason === null ? {} : { finish_reason: end.finishReason }),
    duration: (endedAt - startedAt) / 1000,
    ...(thinking.seconds === undefined ? {} : { reasoning_duration: thinking.seconds }),
  };
  text.flush();
  try {
    if (ctx && start.hasWebhook && end.state === "done") end.notice = await noticeOfReply(ctx, start.chatId);
    await writer.finish(end);
  } catch (error) {
    services.log.error("could not store the end of an answer", { run_id: start.runId, error });
  }
  // Events may have written into it until now.
  end = { ...end, ...textsOf(text) };
  observer.ended(end);
  outlet?.announce();
  outlet?.close();
  if (ctx && end.state === "done") {
    const exchange = { chatId: start.chatId, modelId: start.model, answer: end.content };
    if (start.generateTitle) await writeTitle(ctx, exchange);
    if (start.generateTags) await generateTags(ctx, exchange);
  }
  return end;
}

/** The caller with current permissions, which may have changed since the request. */
async function contextOfRun(services: Services, start: RunStart): Promise<Context> {
  const found = await resolveActorById(services, start.credential);
  const own = servicesWithin(services, { request_id: start.runId }, undefined);
  return createContext(own, found, { requestId: start.runId, origin: start.origin });
}

/**
 * The turn up to the end of its answer, which is written into the text as it comes. A conversation that the provider refuses as
 * too long is shortened and sent once more.
 */
async function answer(
  ctx: Context,
  start: RunStart,
  { text, thinking }: { text: AnswerText; thinking: ReasoningClock },
  signal: AbortSignal,
): Promise<{ reply: Reply; outlet: Outlet | undefined }> {
  const { chatId, messageId, runId } = start;
  const sessionId = typeof start.body["session_id"] === "string" ? start.body["session_id"] : undefined;
  const model = await findModel(ctx, start.model, { direct: true });
  const ask = async (body: Record<string, unknown>) => {
    const { answer: answered, outlet } = await converse(ctx, model, {
      body: withInstructions(body, start.instructions ?? []),
      stream: true,
      signal,
      onDelta: ({ choice, ...delta }) => {
        if (choice !== 0) return;
        thinking.add(delta, Date.now());
        text.append(delta);
      },
      place: { chatId, messageId, runId, sessionId },
      knowledge: start.knowledge,
      isWatched: true,
      isContinued: start.continueFrom.content !== "",
      position: () => text.content.length,
    });
    return { reply: await drainAnswer(answered, signal), outlet };
  };
  const fitted = fitTurn(ctx, start, model, signal);
  const isUntouched = () =>
    text.content === start.continueFrom.content && text.reasoning === start.continueFrom.reasoning;
  let refusal: unknown;
  try {
    const answered = await ask(await fitted.begin());
    const { error } = answered.reply;
    if (!error || !isTooLong(error) || !isUntouched()) return answered;
    answered.outlet?.close();
    refusal = failureOf(error);
  } catch (error) {
    if (!isTooLong(error) || !isUntouched()) throw error;
    refusal = error;
  }
  const shorter = await fitted.shorten();
  if (!shorter) throw refusal;
  return ask(shorter);
}

function textsOf({ content, reasoning }: AnswerText): Texts {
  return { content, reasoning };
}

function endOf(reply: Reply, text: AnswerText, signal: AbortSignal): TurnEnd {
  const tools = reply.toolCalls.length > 0 ? { tool_calls: reply.toolCalls } : {};
  const common = { ...textsOf(text), usage: reply.usage, extra: { ...reply.extra, ...tools } };
  if (!reply.error) return { ...common, state: "done", finishReason: reply.finishReason };
  const { message, code } = reply.error;
  return { ...common, ...stateOf({ message, code: code ?? "upstream_error" }, signal), finishReason: null };
}

function failed(error: unknown, signal: AbortSignal): Pick<AnswerEnd, "state" | "error"> {
  const known = error instanceof UpstreamError || error instanceof AppError ? error : undefined;
  return stateOf(
    {
      message: known?.message ?? "The answer failed because of an internal error. The cause is in the log",
      code: known?.code ?? "internal_error",
    },
    signal,
  );
}

function stateOf(error: MessageError, signal: AbortSignal): Pick<AnswerEnd, "state" | "error"> {
  return signal.aborted ? { state: "stopped" } : { state: "error", error };
}
