import type { Context, Settings } from "../context.ts";
import { isRecord } from "../lib/json.ts";
import { StopController, type StopSignal } from "../lib/stop-signal.ts";
import { neverMs } from "../lib/timers.ts";
import { applyModelParams } from "../models/apply-model-params.ts";
import { callModel, idleMs } from "../models/call-model.ts";
import type { Reading } from "../models/calling/call-attempt.ts";
import type { ResolvedModel } from "../models/catalog/find-model.ts";
import type { ReplyDelta } from "../upstream/answers/accumulate-reply.ts";
import { readUpstreamAnswer, type UpstreamAnswer } from "../upstream/answers/read-upstream-answer.ts";
import { UpstreamError } from "../upstream/errors/upstream-error.ts";
import { readReasoningTags } from "../upstream/repair/reasoning-tags.ts";
import { tellProvider } from "../usage/call-span.ts";
import type { UsageApi } from "../usage/schema.ts";
import { serviceFields } from "./completions/schema.ts";
import { followUse } from "./follow-use.ts";
import type { FunctionCaller } from "./functions/function-caller.ts";

export interface Question {
  /** A chat-completions body; fields that only Parley uses are removed here. */
  body: Record<string, unknown>;
  stream: boolean;
  /** The caller's: when it fires, the provider's connection is closed immediately. */
  signal: StopSignal;
  /** When it fires, the stream ends with its reason, an UpstreamError, as the last event. */
  refusal?: StopSignal | undefined;
  /** Called for each piece of text or reasoning, in order. */
  onDelta?: ((delta: ReplyDelta) => void) | undefined;
  /** The functions of the turn; required if a function is the model. */
  functions?: Pick<FunctionCaller, "pipe"> | undefined;
  /** The API for which usage is recorded; default `chat`. */
  api?: UsageApi | undefined;
  /** A further call of a turn that has already been counted as a request. */
  isFurther?: boolean | undefined;
}

/**
 * Asks a model of any kind and reads its answer in the requested form: the single way to a model for API calls, runs in
 * a session coordinator, and titles. Usage is recorded when the answer has ended.
 * @throws UpstreamError if there is no valid answer
 */
export async function askModel(ctx: Context, model: ResolvedModel, question: Question): Promise<UpstreamAnswer> {
  const use = followUse(ctx, model, question);
  try {
    const answer = await ask(tellProvider(ctx, use.span), model, question);
    use.answered(answer);
    return answer;
  } catch (error) {
    use.failed(error);
    throw error;
  }
}

async function ask(ctx: Context, model: ResolvedModel, question: Question): Promise<UpstreamAnswer> {
  const { body, stream, signal, refusal, onDelta } = question;
  const abort = new StopController();
  if (model.pipe && !question.functions) throw new TypeError("a pipe needs the functions of its turn");
  const outcome = Promise.withResolvers<Outcome | undefined>();
  const reading: Reading = { outcome: outcome.promise };
  const answer = callModel(ctx, model, {
    body: bodyForModel(model, body, stream),
    signal: abort.signal,
    pipe: model.pipe && question.functions?.pipe(model.pipe),
    reading,
  });
  const read = readUpstreamAnswer(answer, {
    model: model.id,
    stream,
    includeUsage: wantsUsage(body),
    choices: typeof body["n"] === "number" ? body["n"] : undefined,
    reasoningTags: readReasoningTags(paramsOf(model, body)["reasoning_tags"], model.connection.quirks.reasoning_tags),
    onlyTool: onlyToolOf(body),
    now: () => ctx.now(),
    onDelta,
    secrets: model.secrets,
    timers: ctx.timers,
    signal,
    refusal,
    reading,
    onCancel: (reason) => abort.abort(reason),
    // The first byte is waited for where the provider is called, by its connection's policy.
    answerTimeoutMs: neverMs,
    // How long a function may take is watched where it runs, where also the time is known that people take to answer it.
    idleTimeoutMs: model.pipe ? neverMs : maxIdleMs(ctx.settings, model),
  });
  // What the caller brought about says nothing about the provider.
  const tell = (error: Outcome | undefined) => {
    const isOurs = signal.aborted || refusal?.aborted || error?.code === "request_cancelled";
    outcome.resolve(isOurs ? undefined : error);
  };
  read.then(
    (found) => (found.kind === "json" ? tell(undefined) : void found.finished.then(({ error }) => tell(error))),
    (error: unknown) => tell(error instanceof UpstreamError ? error : undefined),
  );
  return read;
}

type Outcome = Pick<UpstreamError, "message" | "code">;

function maxIdleMs(settings: Settings, model: ResolvedModel): number {
  return Math.max(...[model, ...model.alternatives].map(({ connection }) => idleMs(settings, connection)));
}

/** Whether the caller wants to see the usage of a stream. */
export function wantsUsage(body: Record<string, unknown>): boolean {
  const options = body["stream_options"] as { include_usage?: boolean | null } | null | undefined;
  return options?.include_usage === true;
}

/** A model's own parameters, overridden by those of the caller. */
function paramsOf(model: ResolvedModel, body: Record<string, unknown>): Record<string, unknown> {
  return { ...model.params, ...(body["params"] as Record<string, unknown> | null | undefined) };
}

/** The name of the only tool that the model can call, if there is exactly one. */
function onlyToolOf({ tools }: Record<string, unknown>): string | undefined {
  const [only]: unknown[] = Array.isArray(tools) && tools.length === 1 ? tools : [];
  const name = isRecord(only) && isRecord(only["function"]) ? only["function"]["name"] : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}

/**
 * The request for the model: the model's own parameters, overridden by the caller's. Usage is always requested, so that
 * it can be recorded.
 */
function bodyForModel(model: ResolvedModel, body: Record<string, unknown>, stream: boolean): Record<string, unknown> {
  const own = Object.fromEntries(Object.entries(body).filter(([name]) => !serviceFields.includes(name)));
  const prepared = applyModelParams({ params: paramsOf(model, body) }, own);
  if (!stream) {
    const { stream_options: _, ...rest } = prepared;
    return { ...rest, stream: false };
  }
  // Functions hand bodies on to providers of their own: they get what the caller said.
  if (model.pipe) return { ...prepared, stream: true };
  return {
    ...prepared,
    stream: true,
    stream_options: { ...(prepared["stream_options"] as object | null), include_usage: true },
  };
}
