import { eq } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { embeddingSpaces } from "../tables.ts";
import { selectUnembedded, vectorStatements, type Unembedded } from "../vectors.ts";
import type { EmbeddingModel } from "./ask-embeddings.ts";
import { embedBatch } from "./embed-batch.ts";
import { EmbeddingFailure } from "./embedding-failure.ts";
import { findEmbeddingModel } from "./embedding-model.ts";
import type { FileText } from "./has-vectors.ts";
import { inLanes } from "./in-lanes.ts";
import { pacingOf } from "./pacing.ts";
import { recordEmbedding } from "./record-embedding.ts";
import type { Space } from "./spaces.ts";

export interface FillOptions {
  signal: AbortSignal;
  /** Called with the number of vectors that have just been stored. */
  onStored?: (count: number) => void;
}

/** Most passages that are read from the database at once. */
const page = 400;
/** Calls at the same time, of one job; one alone once the provider had too much to do. */
const maxCalls = 3;
/** Most UTF-16 units and most numbers (vectors times dimension) of one call: its answer has to fit into memory several times. */
const maxLength = 200_000;
const maxNumbers = 150_000;
/** As long as the dimension is not known. */
const likelyDimension = 2048;

const callOptions = { timeoutMs: 120_000, tries: 3, maxWaitMs: 15_000 };

/**
 * Gives each passage that has no vector in the space one; of one text, or of all that count. What was stored stays, however it
 * ends.
 * @throws EmbeddingFailure; the signal's reason when that ends it
 */
export async function fillSpace(
  ctx: Context,
  space: Space,
  of: FileText | "all",
  { signal, onStored }: FillOptions,
): Promise<void> {
  const wanted = ctx.settings.RAG_EMBEDDING_BATCH_SIZE;
  let { dimension } = space;
  let model: EmbeddingModel | undefined;
  for (let after = -1, isLast = false; !isLast;) {
    const rows = await selectUnembedded(ctx.db, space.id, of, page, after);
    isLast = rows.length < page;
    after = rows.at(-1)?.number ?? after;
    if (rows.length === 0) return;
    const found = (model ??= await findEmbeddingModel(ctx, space.model));
    const pacing = pacingOf(ctx, found.connection.id, found.upstreamId);
    const maxTexts = Math.max(1, Math.min(wanted, Math.floor(maxNumbers / (dimension ?? likelyDimension))));
    const atOnce = pacing.refusals > 0 ? 1 : maxCalls;
    await inLanes(cut(rows, maxTexts, space.prefix), atOnce, signal, async (batch) => {
      const texts = batch.map((row) => textOf(row, space.prefix));
      await embedBatch(ctx, found, texts, {
        ...callOptions,
        signal,
        onCall: recordEmbedding(ctx, found),
        async onPart(start, vectors) {
          dimension = await store(ctx, space, batch.slice(start, start + vectors.length), vectors);
          onStored?.(vectors.length);
        },
      });
    });
  }
}

/** What is embedded of a passage: what it is about goes before it. */
function textOf({ headings, text }: Unembedded, prefix: string): string {
  const whole = headings.length > 0 ? `${headings.join(" > ")}\n\n${text}` : text;
  // Providers refuse texts without a character.
  return `${prefix}${whole.trim() === "" ? "-" : whole}`.toWellFormed();
}

function* cut(rows: readonly Unembedded[], maxTexts: number, prefix: string): Generator<Unembedded[]> {
  let batch: Unembedded[] = [];
  let length = 0;
  for (const row of rows) {
    const size = textOf(row, prefix).length;
    if (batch.length === maxTexts || (batch.length > 0 && length + size > maxLength)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(row);
    length += size;
  }
  if (batch.length > 0) yield batch;
}

/** One batch. @returns the dimension of the space. @throws EmbeddingFailure where the vectors do not belong into it */
async function store(
  { db }: Pick<Context, "db">,
  space: Space,
  batch: readonly Unembedded[],
  vectors: readonly Float32Array[],
): Promise<number> {
  const length = vectors[0]?.length ?? 0;
  if (vectors.some((vector) => vector.length !== length))
    throw new EmbeddingFailure("again", `The embedding model ${space.model} returned vectors of different lengths`);
  const rows = batch.map(({ number, fileId }, at) => ({ chunk: number, fileId, vector: vectors[at]! }));
  const results = await db.batch([
    db.update(embeddingSpaces).set({ error: null }).where(eq(embeddingSpaces.id, space.id)),
    ...vectorStatements(db, space.id, rows),
    db
      .select({ state: embeddingSpaces.state, dimension: embeddingSpaces.dimension })
      .from(embeddingSpaces)
      .where(eq(embeddingSpaces.id, space.id)),
  ]);
  const [now] = results.at(-1) as unknown as Pick<Space, "state" | "dimension">[];
  if (!now || now.state === "dropped") throw new EmbeddingFailure("again", "A different embedding model was selected");
  if (now.dimension !== length) throw otherDimension(space.model, length, now.dimension);
  return length;
}

export function otherDimension(model: string, length: number, dimension: number | null): EmbeddingFailure {
  return new EmbeddingFailure(
    "none",
    `The embedding model ${model} returns vectors with ${length} dimensions, the index has ${dimension}: rebuild the index`,
  );
}
