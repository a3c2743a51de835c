import type { Context } from "../../../context.ts";
import { pause } from "../../../lib/pause.ts";
import { askEmbeddings, type EmbeddingModel } from "./ask-embeddings.ts";
import { EmbeddingFailure, embeddingFailure } from "./embedding-failure.ts";
import { goOn, maxTextsNow, pacingOf, sendFewer, slowDown, type Pacing } from "./pacing.ts";
import type { EmbeddingCall } from "./record-embedding.ts";
import { readVector, toUnit } from "./vector.ts";

export interface BatchOptions {
  signal: AbortSignal;
  /** How long one call may take in all, milliseconds. */
  timeoutMs: number;
  /** How often a call is made that breaks, or is refused for being too fast. */
  tries: number;
  /**
   * How long a call may wait for a provider that has too much to do, milliseconds: also before its first time, where that is known.
   * Longer waits are the caller's business. 0: nothing is waited for, and the first call is made whatever is known.
   */
  maxWaitMs: number;
  /** Called with what came of each call, so that it is not lost when another one fails; `start` is the place of the first text. */
  onPart?: (start: number, vectors: readonly Float32Array[]) => Promise<void>;
  /** Called for each call that was answered. */
  onCall?: (call: EmbeddingCall) => void;
}

type BatchContext = Pick<Context, "outbound" | "environment">;

/** First pause after a call that broke, milliseconds; doubled for each that follows. */
const firstPauseMs = 250;
/** No model finds a text too long that is shorter; UTF-16 units. */
const minTooLongLength = 300;

/**
 * The vectors of texts, of length 1, in their order. What is too much at once is sent in parts, a text that is too long for the
 * model is cut at its end; passing failures are tried again.
 * @throws EmbeddingFailure; the signal's reason when that ends the work
 */
export async function embedBatch(
  ctx: BatchContext,
  model: EmbeddingModel,
  texts: readonly string[],
  options: BatchOptions,
): Promise<Float32Array[]> {
  const pacing = pacingOf(ctx, model.connection.id, model.upstreamId);
  const result: Float32Array[] = [];
  let refused = 0;

  async function embedParts(start: number, some: readonly string[], maxTexts: number): Promise<void> {
    for (let at = 0; at < some.length; at += maxTexts) await embedSome(start + at, some.slice(at, at + maxTexts));
  }

  async function embedSome(start: number, some: readonly string[]): Promise<void> {
    const maxTexts = maxTextsNow(pacing, Date.now());
    if (some.length > maxTexts) return embedParts(start, some, maxTexts);
    let vectors: Float32Array[];
    try {
      vectors = await tryAgain(ctx, model, some, pacing, options);
    } catch (error) {
      if (!(error instanceof EmbeddingFailure) || (error.remedy !== "fewer" && error.remedy !== "shorter")) throw error;
      refused += 1;
      return some.length > 1 ? embedHalves(start, some) : embedShorter(start, some[0]!, error);
    }
    vectors.forEach((vector, at) => (result[start + at] = vector));
    await options.onPart?.(start, vectors);
  }

  async function embedHalves(start: number, some: readonly string[]): Promise<void> {
    const before = refused;
    const half = Math.ceil(some.length / 2);
    await embedParts(start, some, half);
    // It was their number, or all of them together, and not one of them alone.
    if (refused === before) sendFewer(pacing, half, Date.now());
  }

  async function embedShorter(start: number, text: string, failure: EmbeddingFailure): Promise<void> {
    if (failure.remedy === "shorter" && text.length > minTooLongLength)
      return embedSome(start, [text.slice(0, text.length >> 1).toWellFormed()]);
    // A request that is refused as it is will be again.
    const remedy = failure.remedy === "fewer" ? "again" : "none";
    throw new EmbeddingFailure(remedy, failure.message, { cause: failure.cause });
  }

  await embedParts(0, texts, Math.max(texts.length, 1));
  return result;
}

/** One call, made again while that can help. */
async function tryAgain(
  ctx: BatchContext,
  model: EmbeddingModel,
  texts: readonly string[],
  pacing: Pacing,
  options: BatchOptions,
): Promise<Float32Array[]> {
  const { signal, tries, maxWaitMs } = options;
  const end = Date.now() + maxWaitMs;
  for (let attempt = 1; ; attempt++) {
    await waitForTurn(pacing, model, end, options);
    try {
      const vectors = await askOnce(ctx, model, texts, options);
      goOn(pacing);
      return vectors;
    } catch (error) {
      signal.throwIfAborted();
      const failure = embeddingFailure(error, model.id, Date.now());
      if (failure.isBusy) slowDown(pacing, failure.retryAfter, Date.now());
      // A provider that is slow with many may be in time with fewer, the next time.
      if (failure.isLate) sendFewer(pacing, Math.ceil(texts.length / 2), Date.now());
      // One text cannot be sent in parts: whatever its answer lacked may be there the next time.
      const isPassing = failure.remedy === "again" || (failure.remedy === "fewer" && texts.length === 1);
      if (!isPassing || failure.isLate || attempt >= tries) throw failure;
      if (!failure.isBusy) await pause(firstPauseMs * 2 ** (attempt - 1), signal);
    }
  }
}

async function waitForTurn(
  pacing: Pacing,
  model: EmbeddingModel,
  end: number,
  { signal, maxWaitMs }: BatchOptions,
): Promise<void> {
  const now = Date.now();
  const wait = pacing.pausedUntil - now;
  if (maxWaitMs === 0 || wait <= 0) return;
  if (pacing.pausedUntil <= end) return pause(wait, signal);
  throw new EmbeddingFailure("again", `The embedding model ${model.id}: the provider is busy`, {
    retryAfter: wait / 1000,
    isBusy: true,
  });
}

async function askOnce(
  ctx: BatchContext,
  model: EmbeddingModel,
  texts: readonly string[],
  { signal, timeoutMs, onCall }: BatchOptions,
): Promise<Float32Array[]> {
  const startedAt = Date.now();
  const { vectors, usage } = await askEmbeddings(ctx, model, {
    body: { input: texts },
    count: texts.length,
    signal,
    timeoutMs,
  });
  onCall?.({ startedAt, texts, usage });
  return vectors.map((vector) => toUnit(readVector(vector)));
}
