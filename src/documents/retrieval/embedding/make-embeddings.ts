import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { callConnection } from "../../../models/call-model.ts";
import { findModel, type ResolvedModel } from "../../../models/catalog/find-model.ts";
import { answerHeaders } from "../../../upstream/answers/answer-headers.ts";
import { invalidAnswer, UpstreamError } from "../../../upstream/errors/upstream-error.ts";
import { estimateUsage } from "../../../usage/estimate-tokens.ts";
import { requireQuota } from "../../../usage/quotas/require-quota.ts";
import { readUsage } from "../../../usage/read-usage.ts";
import { recordUse, type Use } from "../../../usage/record-use.ts";
import { askEmbeddings, type EmbeddingAnswer, type EmbeddingQuestion } from "./ask-embeddings.ts";
import type { EmbeddingRequest } from "./schema.ts";
import { BadVector, readVector, toFloats } from "./vector.ts";

type Encoding = "float" | "base64";

/**
 * Embeddings of any model that the caller may use, in OpenAI's format and the requested encoding, whatever the provider
 * supports.
 * @param signal the caller's: cancels the provider's call
 * @throws AppError `model_not_found`, `quota_exceeded`, `bad_request` for a model without embeddings; UpstreamError
 */
export async function makeEmbeddings(ctx: Context, request: EmbeddingRequest, signal: AbortSignal): Promise<Response> {
  const model = await findModel(ctx, request.model, { direct: true });
  await requireQuota(ctx, model);
  const { model: _, encoding_format: encoding, ...rest } = request;
  const body: Record<string, unknown> = { ...rest, input: wellFormed(request.input) };
  if (body["dimensions"] === null) delete body["dimensions"];
  const count = countOf(request.input);
  const timeoutMs = ctx.settings.UPSTREAM_TIMEOUT * 1000;
  // No other connection is asked: vectors of two providers cannot be compared.
  const call: EmbeddingQuestion["call"] = (embed, until) =>
    model.kind === "function"
      ? embed(until)
      : callConnection(ctx, model.connection, (_, each) => embed(each), {
          signal: until,
          idempotent: true,
          model: model.upstreamId,
        });
  const ask = (said: Record<string, unknown>) =>
    askEmbeddings(ctx, model, { body: said, count, signal, timeoutMs, call });
  const startedAt = Date.now();
  const record = (use: Pick<Use, "state" | "code" | "usage">) =>
    recordUse(ctx, { api: "embeddings", model, connectionId: model.connection.id, startedAt, ...use });
  const answer = await ask(encoding ? { ...body, encoding_format: encoding } : body)
    .catch((error: unknown) => {
      // Some SDKs ask for base64 without being told to, and some providers know numbers alone.
      if (encoding !== "base64" || !(error instanceof UpstreamError) || !isRefusal(error)) throw error;
      return ask(body);
    })
    .catch((error: unknown) => {
      record({ ...endOf(error, signal), usage: undefined });
      throw error;
    });
  record({ state: "done", usage: readUsage(answer.usage) ?? estimateUsage(body["input"], "") });
  const headers = answerHeaders(answer.headers);
  headers.set("content-type", "application/json");
  return new Response(textOf(answer, model, encoding ?? "float"), { headers });
}

function endOf(error: unknown, signal: AbortSignal): Pick<Use, "state" | "code"> {
  if (signal.aborted) return { state: "stopped" };
  const isKnown = error instanceof UpstreamError || error instanceof AppError;
  return { state: "error", code: isKnown ? (error.code ?? "upstream_error") : "internal_error" };
}

function isRefusal({ status }: UpstreamError): boolean {
  return status === 400 || status === 422;
}

/** A list of numbers is one text, as tokens. */
function countOf(input: EmbeddingRequest["input"]): number {
  return Array.isArray(input) && typeof input[0] !== "number" ? input.length : 1;
}

function wellFormed(input: EmbeddingRequest["input"]): unknown {
  if (typeof input === "string") return input.toWellFormed();
  return input.map((each) => (typeof each === "string" ? each.toWellFormed() : each));
}

/** The provider's own text where nothing has to be changed in it. */
function textOf({ vectors, usage, document, text }: EmbeddingAnswer, model: ResolvedModel, encoding: Encoding): string {
  const fits = (vector: unknown) => (encoding === "base64" ? typeof vector === "string" : Array.isArray(vector));
  if (document && vectors.every(fits) && typeof document["model"] === "string" && usage) return text;
  return JSON.stringify({
    ...document,
    object: "list",
    data: vectors.map((vector, index) => ({ object: "embedding", index, embedding: encoded(vector, encoding) })),
    model: typeof document?.["model"] === "string" ? document["model"] : model.id,
    // Local runtimes may not count; SDKs read it all the same.
    usage: usage ?? { prompt_tokens: 0, total_tokens: 0 },
  });
}

function encoded(vector: unknown, encoding: Encoding): unknown {
  try {
    const numbers = readVector(vector);
    if (encoding === "base64") return toFloats(numbers);
    return Array.isArray(vector) ? vector : [...numbers];
  } catch (error) {
    if (error instanceof BadVector) throw invalidAnswer(error.message);
    throw error;
  }
}
