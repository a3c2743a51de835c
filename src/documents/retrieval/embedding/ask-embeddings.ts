import type { Services } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";
import type { ResolvedModel } from "../../../models/catalog/find-model.ts";
import type { Target } from "../../../models/drivers/driver.ts";
import { createUpstreamReader } from "../../../upstream/answers/upstream-reader.ts";
import { networkFailure } from "../../../upstream/errors/network-failure.ts";
import { holdsError, upstreamErrorFromBody } from "../../../upstream/errors/read-upstream-error.ts";
import { invalidAnswer, oversizedAnswer, UpstreamError } from "../../../upstream/errors/upstream-error.ts";
import { endCallSpan, startCallSpan, outboundOfCall } from "../../../usage/call-span.ts";
import { readUsage } from "../../../usage/read-usage.ts";

/** Largest answer that is read, in bytes: 64 vectors of 4,096 numbers take about 6 MB as JSON. */
const maxBytes = 24_000_000;

/** A model with the data needed to request vectors. */
export type EmbeddingModel = Pick<ResolvedModel, "id" | "kind" | "upstreamId" | "secrets"> & {
  driver: Pick<ResolvedModel["driver"], "embed">;
  connection: Target & { id: string };
};

/** The result of a call, each vector in the provider's format. */
export interface EmbeddingAnswer {
  /** One for each text that was sent, in their order. */
  vectors: unknown[];
  /** Tokens, where the provider says them. */
  usage: Record<string, unknown> | undefined;
  /** The provider's own document, where it has OpenAI's shape, and its text. */
  document: Record<string, unknown> | undefined;
  text: string;
  headers: Headers;
}

export interface EmbeddingQuestion {
  /** OpenAI's request, without the model. */
  body: Record<string, unknown>;
  /** How many vectors there have to be. */
  count: number;
  signal: AbortSignal;
  /** How long the whole call may take, milliseconds: also of a provider that answers drop by drop. */
  timeoutMs: number;
  /** How the call is made, where not at once and once. */
  call?: (embed: (signal: AbortSignal) => Promise<Response>, signal: AbortSignal) => Promise<Response>;
}

/**
 * One call to a model's provider: the single way to vectors.
 * @throws UpstreamError for an invalid answer: an error status, a web page, an error in a successful answer, a wrong
 *   number of vectors, too much data; AppError `bad_request` for a model without embeddings
 */
export async function askEmbeddings(
  ctx: Pick<Services, "outbound" | "span" | "tracer">,
  model: EmbeddingModel,
  question: EmbeddingQuestion,
): Promise<EmbeddingAnswer> {
  const span = startCallSpan(ctx, "embeddings", model);
  try {
    const answer = await ask({ outbound: outboundOfCall(ctx, span) }, model, question);
    endCallSpan(span, { usage: readUsage(answer.usage), state: "done" });
    return answer;
  } catch (error) {
    const code = error instanceof AppError || error instanceof UpstreamError ? error.code : null;
    const state = question.signal.aborted ? "stopped" : "error";
    endCallSpan(span, { usage: undefined, state, code: code ?? "internal_error" });
    throw error;
  }
}

async function ask(
  ctx: Pick<Services, "outbound">,
  model: EmbeddingModel,
  { body, count, signal, timeoutMs, call = (embed, untilMs) => embed(untilMs) }: EmbeddingQuestion,
): Promise<EmbeddingAnswer> {
  const abort = new AbortController();
  const embed = (untilMs: AbortSignal) =>
    model.driver.embed({
      connection: model.connection,
      model: model.kind === "function" ? model.id : model.upstreamId,
      body,
      signal: untilMs,
      outbound: ctx.outbound,
    });
  const answer = call(embed, abort.signal);
  const reader = createUpstreamReader(answer, {
    secrets: model.secrets,
    signal,
    onCancel: (reason) => abort.abort(reason),
  });
  const timer = setTimeout(() => {
    const details = { type: "upstream_error", code: "upstream_timeout" };
    reader.interrupt(new UpstreamError(504, `The provider did not answer within ${timeoutMs / 1000} s.`, details));
  }, timeoutMs);
  try {
    // Their refusals are not a provider's.
    if (model.kind === "function" || model.kind === "anthropic") await answer;
    const opened = await reader.open();
    const { text, ended } = await reader.readText(opened, maxBytes);
    if (!ended) throw oversizedAnswer();
    const { headers } = opened;
    if (opened.form === "page") throw invalidAnswer("a web page instead of vectors");
    const value = tryParseJson(text);
    if (value === undefined) throw invalidAnswer("something that is not JSON");
    if (isRecord(value) && value.data === undefined && value.embeddings === undefined && holdsError(value))
      throw upstreamErrorFromBody(value, { status: 200, headers, secrets: model.secrets });
    return { ...readDocument(value, count), text, headers };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const failure = networkFailure(error);
    reader.cancel(failure);
    throw failure;
  } finally {
    clearTimeout(timer);
    reader.close();
  }
}

/** `{data: [{index, embedding}]}` as OpenAI has it, or `{embeddings: [[...]]}` of local runtimes. */
function readDocument(value: unknown, count: number): Omit<EmbeddingAnswer, "headers" | "text"> {
  const record = isRecord(value) ? value : {};
  if (Array.isArray(record.embeddings)) {
    const tokens = record.prompt_eval_count;
    const usage = typeof tokens === "number" ? { prompt_tokens: tokens, total_tokens: tokens } : undefined;
    return { vectors: counted(record.embeddings, count), usage, document: undefined };
  }
  const list = Array.isArray(value) ? value : record.data;
  if (!Array.isArray(list)) throw invalidAnswer("something without vectors");
  const vectors: unknown[] = Array.from({ length: counted(list, count).length });
  list.forEach((entry: unknown, position) => {
    if (!isRecord(entry) || entry.embedding === undefined) throw invalidAnswer("something without vectors");
    // Providers may answer in another order.
    const at = typeof entry.index === "number" ? entry.index : position;
    if (!Number.isInteger(at) || at < 0 || at >= count || vectors[at] !== undefined)
      throw invalidAnswer("vectors whose indexes match no texts");
    vectors[at] = entry.embedding;
  });
  const usage = isRecord(record.usage) ? record.usage : undefined;
  return { vectors, usage, document: Array.isArray(value) ? undefined : record };
}

function counted(list: unknown[], count: number): unknown[] {
  if (list.length === count) return list;
  throw invalidAnswer(`${list.length} vectors for ${count} ${count === 1 ? "text" : "texts"}`, "upstream_wrong_count");
}
