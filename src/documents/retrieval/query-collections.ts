import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readableFile, readableKnowledge } from "../knowledge/readable.ts";
import type { QueryOptions, QueryResult } from "./schema.ts";
import type { Scope } from "./scope.ts";
import { searchPassages } from "./search.ts";

/** The peer's names of collections that hold one file. */
const fileName = /^file-(.+)$/s;

/**
 * The passages of some collections that fit a question: `file-<id>` or the id of a knowledge base each.
 * @throws AppError `not_found` that names a collection which is not there for the caller
 */
export async function queryCollections(
  ctx: Context,
  { names, ...input }: QueryOptions & { names: readonly string[] },
  signal: AbortSignal,
): Promise<QueryResult> {
  const scope = await readableScope(ctx, names);
  const weight = input.hybrid === false ? 0 : input.hybrid_bm25_weight;
  const { hits, legs } = await searchPassages(ctx, {
    ...scope,
    queries: [input.query],
    k: input.k ?? ctx.settings.RAG_TOP_K,
    options: {
      signal,
      ...(weight === undefined ? {} : { keywordWeight: weight }),
      ...(input.r === undefined ? {} : { threshold: input.r }),
    },
  });
  const kept = legs.reranker === "used" ? hits.slice(0, input.k_reranker) : hits;
  return {
    distances: [kept.map(({ score }) => 1 - score)],
    documents: [kept.map(({ text }) => text)],
    metadatas: [
      kept.map((hit) => ({
        file_id: hit.fileId,
        name: hit.filename,
        source: hit.filename,
        content_type: hit.contentType,
        chunk: hit.chunk,
        headings: hit.headings,
        page: hit.page,
        label: hit.label,
        start: hit.start,
        end: hit.end,
        score: hit.score,
        similarity: hit.similarity,
        keyword: hit.keyword,
      })),
    ],
    legs,
  };
}

async function readableScope(ctx: Context, names: readonly string[]): Promise<Scope> {
  const user = requireUser(ctx);
  const asked = names.map((name) => ({ name, file: fileName.exec(name)?.[1] }));
  const files = asked.flatMap(({ file }) => file ?? []);
  const knowledge = asked.flatMap(({ name, file }) => (file === undefined ? [name] : []));
  const rows = await ctx.db.all<{ name: string }>(sql`
    SELECT 'file-' || files.id AS name FROM files
    WHERE files.id IN (SELECT value FROM json_each(${JSON.stringify(files)})) AND ${readableFile(user)}
    UNION ALL SELECT knowledge.id FROM knowledge
    WHERE knowledge.id IN (SELECT value FROM json_each(${JSON.stringify(knowledge)})) AND ${readableKnowledge(user)}`);
  const readable = new Set(rows.map(({ name }) => name));
  const missing = names.find((name) => !readable.has(name));
  if (missing !== undefined) throw new AppError("not_found", `No such collection: ${missing.slice(0, 100)}`);
  return { files, knowledge };
}
