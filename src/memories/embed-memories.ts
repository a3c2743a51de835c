import { eq, sql } from "drizzle-orm";
import { requireAdmin } from "../access.ts";
import type { Context } from "../context.ts";
import { runBatch } from "../db/batch.ts";
import { embedBatch } from "../documents/retrieval/embedding/embed-batch.ts";
import { findEmbeddingModel } from "../documents/retrieval/embedding/embedding-model.ts";
import { recordEmbedding } from "../documents/retrieval/embedding/record-embedding.ts";
import { asBytes } from "../documents/retrieval/find-by-meaning.ts";
import { embeddingSpaces } from "../documents/retrieval/tables.ts";
import { memoryText } from "./memory-text.ts";
import { requireMemories } from "./require-memories.ts";

/** For all texts together, milliseconds: what is late is made the next time. */
const timeoutMs = 30_000;
/** Texts of one time; the rest follows the next time. */
const maxTexts = 500;

/** Makes the vectors that the person's memories lack, after the answer. Nothing depends on it: without them words are searched. */
export function embedLater(ctx: Context, userId: string): void {
  ctx.waitUntil(embedMissing(ctx, userId));
}

/** Makes all vectors of the caller's memories again. @throws AppError `forbidden` */
export async function resetMemories(ctx: Context): Promise<void> {
  const user = requireMemories(ctx);
  await ctx.db.run(
    sql`DELETE FROM memory_vectors WHERE memory_id IN (SELECT m.id FROM memories m WHERE m.user_id = ${user.id})`,
  );
  await embedMissing(ctx, user.id);
}

/** Vectors that one statement deletes. */
const maxDeleted = 5000;

/**
 * Deletes the vectors of all memories of everyone. Each person's are made again when they are next searched.
 * @returns how many people and memories that concerns
 * @throws AppError `forbidden` for people who are not system administrators
 */
export async function reindexMemories(ctx: Context): Promise<{ people: number; memories: number }> {
  requireAdmin(ctx);
  let deleted: number;
  do {
    const slice = sql`SELECT rowid FROM memory_vectors LIMIT ${maxDeleted}`;
    ({ rowsAffected: deleted } = await ctx.db.run(sql`DELETE FROM memory_vectors WHERE rowid IN (${slice})`));
  } while (deleted === maxDeleted);
  const [row] = await ctx.db.all<{ people: number; memories: number }>(
    sql`SELECT count(DISTINCT user_id) AS people, count(*) AS memories FROM memories`,
  );
  return row!;
}

/** Never fails: the next change or search tries again. */
async function embedMissing(ctx: Context, userId: string): Promise<void> {
  try {
    const [[space], missing] = await ctx.db.batch([
      ctx.db.select().from(embeddingSpaces).where(eq(embeddingSpaces.state, "serving")),
      ctx.db.all<{ id: string; path: string | null; content: string }>(sql`
        SELECT m.id, m.path, m.content FROM memories m JOIN embedding_spaces s ON s.state = 'serving' WHERE m.user_id = ${userId}
          AND NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.memory_id = m.id AND v.space_id = s.id)
        ORDER BY m.updated_at DESC LIMIT ${maxTexts}`),
    ]);
    if (!space || missing.length === 0) return;
    const model = await findEmbeddingModel(ctx, space.model);
    const texts = missing.map((memory) => `${space.prefix}${memoryText(memory)}`);
    const size = ctx.settings.RAG_EMBEDDING_BATCH_SIZE;
    const signal = AbortSignal.timeout(timeoutMs);
    for (let start = 0; start < texts.length; start += size) {
      const vectors = await embedBatch(ctx, model, texts.slice(start, start + size), {
        signal,
        timeoutMs,
        tries: 2,
        maxWaitMs: timeoutMs,
        onCall: recordEmbedding(ctx, model),
      });
      await runBatch(ctx.db, [
        ctx.db.run(
          sql`UPDATE embedding_spaces SET dimension = ${vectors[0]!.length} WHERE id = ${space.id} AND dimension IS NULL`,
        ),
        ctx.db
          .run(sql`DELETE FROM memory_vectors WHERE memory_id IN (SELECT m.id FROM memories m WHERE m.user_id = ${userId})
          AND space_id NOT IN (SELECT id FROM embedding_spaces WHERE state <> 'dropped')`),
        ...vectors.map((vector, at) => {
          const { id, path, content } = missing[start + at]!;
          // A memory that was changed meanwhile gets no vector of its old text.
          return ctx.db.run(sql`INSERT INTO memory_vectors (memory_id, space_id, vector)
            SELECT m.id, s.id, vector8(${asBytes(vector)}) FROM memories m JOIN embedding_spaces s ON s.id = ${space.id}
              AND s.state <> 'dropped' AND s.dimension = ${vector.length}
            WHERE m.id = ${id} AND m.content = ${content} AND m.path IS ${path} ON CONFLICT DO NOTHING`);
        }),
      ]);
    }
  } catch (error) {
    ctx.log.warn("could not embed memories: they are searched by words", { error });
  }
}
