import { eq } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { embeddingSpaces } from "../tables.ts";
import { embedBatch } from "./embed-batch.ts";
import { EmbeddingFailure } from "./embedding-failure.ts";
import { findEmbeddingModel } from "./embedding-model.ts";
import { otherDimension } from "./fill-space.ts";
import { recordEmbedding } from "./record-embedding.ts";

/** Somebody waits: it is better to find words alone than to wait longer. Milliseconds. */
const timeoutMs = 20_000;
/** Of a question that is longer only the beginning counts; UTF-16 units. */
const maxQueryLength = 8000;

export interface EmbeddedQuery {
  /** The space that they can be compared in. */
  spaceId: number;
  /** One of length 1 for each question. */
  vectors: Float32Array[];
}

/**
 * Vectors of questions, in the space that serves; undefined where none does, or nothing is in it. One round trip to the database,
 * one call to the provider.
 * @throws AppError `embedding_failed`
 */
export async function embedQuery(
  ctx: Context,
  queries: readonly string[],
  signal?: AbortSignal,
): Promise<EmbeddedQuery | undefined> {
  const [space] = await ctx.db.select().from(embeddingSpaces).where(eq(embeddingSpaces.state, "serving"));
  if (!space || space.dimension === null) return undefined;
  const texts = queries.map((query) => `${space.queryPrefix}${query.slice(0, maxQueryLength)}`.toWellFormed());
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const model = await findEmbeddingModel(ctx, space.model);
    const vectors = await embedBatch(ctx, model, texts, {
      signal: signal ? AbortSignal.any([signal, late]) : late,
      timeoutMs: timeoutMs,
      tries: 2,
      maxWaitMs: 0,
      onCall: recordEmbedding(ctx, model),
    });
    const other = vectors.find((vector) => vector.length !== space.dimension);
    if (other) throw otherDimension(space.model, other.length, space.dimension);
    return { spaceId: space.id, vectors };
  } catch (error) {
    if (error instanceof EmbeddingFailure) throw failed(error.message, error);
    if (late.aborted && !signal?.aborted)
      throw failed(`The embedding model ${space.model} did not answer within ${timeoutMs / 1000} s`, error);
    throw error;
  }
}

function failed(message: string, cause: unknown): AppError {
  return new AppError("embedding_failed", message, { cause });
}
