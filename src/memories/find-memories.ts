import { sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { embedQuery, type EmbeddedQuery } from "../documents/retrieval/embedding/embed-texts.ts";
import { asBytes } from "../documents/retrieval/find-by-meaning.ts";
import { fuse } from "../documents/retrieval/fuse.ts";
import { searchTerms } from "../documents/retrieval/search-terms.ts";
import { searchText } from "../documents/retrieval/search-text.ts";
import { AppError } from "../errors.ts";
import { embedLater } from "./embed-memories.ts";
import { memoryText } from "./memory-text.ts";
import { requireMemories } from "./require-memories.ts";
import type { MemoryMatches, MemoryType } from "./schema.ts";

export interface FoundMemory {
  id: string;
  type: MemoryType;
  path: string | null;
  content: string;
  createdAt: number;
  updatedAt: number;
  /** 0 to 1: how well it fits the question. */
  score: number;
}

interface Row extends Omit<FoundMemory, "score"> {
  /** Cosine of the angle to the question; null without a vector. */
  similarity: number | null;
}

/** A turn waits for the vector of its question this long, milliseconds: then words alone are searched. */
const embeddingTimeoutMs = 3000;

/**
 * The person's memories that fit the question best, by meaning and words, the best first. What nothing is known of follows,
 * last changed first.
 * @param question empty for all, last changed first
 * @param k how many; all if it is left out
 */
export async function findMemories(
  ctx: Context,
  { userId, question, k, signal }: { userId: string; question: string; k?: number; signal?: AbortSignal },
): Promise<FoundMemory[]> {
  const vector = question.trim() === "" ? undefined : await vectorOf(ctx, question, signal);
  const rows = await loadRows(ctx, userId, vector);
  const isByMeaning = question.trim() !== "" && ctx.settings.RAG_EMBEDDING_MODEL.trim() !== "";
  if (isByMeaning && rows.some(({ similarity }) => similarity === null)) embedLater(ctx, userId);
  return rank(rows, question, ctx.settings.RAG_HYBRID_BM25_WEIGHT).slice(0, k);
}

/** As Open WebUI's clients ask for them. @throws AppError `forbidden`; `not_found` for somebody without memories */
export async function queryMemories(
  ctx: Context,
  { content, k }: { content: string; k?: number | null | undefined },
): Promise<MemoryMatches> {
  const user = requireMemories(ctx);
  const found = await findMemories(ctx, { userId: user.id, question: content, k: k ?? 1 });
  if (found.length === 0) throw new AppError("not_found", "There are no memories");
  return {
    ids: [found.map(({ id }) => id)],
    documents: [found.map((memory) => memory.content)],
    metadatas: [
      found.map(({ createdAt, updatedAt, type, path }) => ({
        created_at: createdAt,
        updated_at: updatedAt,
        type,
        path,
      })),
    ],
    distances: [found.map(({ score }) => score)],
  };
}

/** Undefined without an embedding model, and where it fails: then words are what is left. */
async function vectorOf(ctx: Context, question: string, signal?: AbortSignal): Promise<EmbeddedQuery | undefined> {
  const late = AbortSignal.timeout(embeddingTimeoutMs);
  try {
    return await embedQuery(ctx, [question], signal ? AbortSignal.any([signal, late]) : late);
  } catch (error) {
    signal?.throwIfAborted();
    ctx.log.warn("memories are searched by words: the question could not be embedded", { error });
    return undefined;
  }
}

async function loadRows({ db }: Context, userId: string, question: EmbeddedQuery | undefined): Promise<Row[]> {
  const similarity = question
    ? sql`(SELECT 1 - vector_distance_cos(v.vector, vector8(${asBytes(question.vectors[0]!)})) FROM memory_vectors v
        WHERE v.memory_id = m.id AND v.space_id = ${question.spaceId})`
    : sql`NULL`;
  return db.all<Row>(sql`SELECT m.id, m.type, m.path, m.content, m.created_at AS createdAt, m.updated_at AS updatedAt, ${similarity} AS similarity
    FROM memories m WHERE m.user_id = ${userId} ORDER BY m.updated_at DESC, m.id DESC`);
}

function rank(rows: readonly Row[], question: string, keywordWeight: number): FoundMemory[] {
  const terms = searchTerms(question).map((term) => term.slice(1, -1));
  const isByMeaning = rows.some(({ similarity }) => similarity !== null);
  const found = rows.map((row, at) => ({
    chunk: at,
    passage: row,
    words: [shareOf(terms, memoryText(row))],
    similarities: row.similarity === null ? [] : [row.similarity],
  }));
  const fused = fuse(found, { keywordWeight: isByMeaning ? keywordWeight : 1, threshold: -1 });
  return fused.map(({ passage: { id, type, path, content, createdAt, updatedAt }, score }) => {
    return { id, type, path, content, createdAt, updatedAt, score };
  });
}

/** How much of the question's words the text has; long words say more, and a word may go on (`dog`, `dogs`). */
function shareOf(terms: readonly string[], content: string): number {
  const words =
    searchText(content)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const text = ` ${words.join(" ")}`;
  let held = 0;
  let whole = 0;
  for (const term of terms) {
    whole += term.length;
    if (text.includes(` ${term}`)) held += term.length;
  }
  return whole === 0 ? 0 : held / whole;
}
