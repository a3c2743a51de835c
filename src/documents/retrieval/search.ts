import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { embedQuery } from "./embedding/embed-texts.ts";
import { findByMeaning, type Meant } from "./find-by-meaning.ts";
import { findByWords } from "./find-by-words.ts";
import { fuse, type Fused } from "./fuse.ts";
import { loadFound, loadPassages, type StoredPassage } from "./load-found.ts";
import { rerank, RerankFailure } from "./rerank.ts";
import type { Scope } from "./scope.ts";

/** How one way of searching went: `off` where settings, options or a missing model say so. */
export type LegState = "used" | "off" | { failed: string };

export interface Hit extends StoredPassage {
  chunk: number;
  /** 0 to 1; what the hits are sorted by. */
  score: number;
  /** Cosine of the angle to the question, up to 1; null where the passage or the question has no vector. */
  similarity: number | null;
  /** Whether its words were found. */
  keyword: boolean;
}

export interface SearchOptions {
  /** 0 to 1 instead of RAG_HYBRID_BM25_WEIGHT. */
  keywordWeight?: number;
  /** 0 to 1 instead of RAG_RELEVANCE_THRESHOLD. */
  threshold?: number;
  /** False leaves the reranker out. */
  rerank?: boolean;
  signal?: AbortSignal;
}

export interface SearchRequest extends Scope {
  /** Wordings of one question: a passage counts as it fits the best of them. */
  queries: readonly string[];
  /** How many hits. */
  k: number;
  options?: SearchOptions;
}

export interface SearchResult {
  hits: Hit[];
  legs: { keyword: LegState; vector: LegState; reranker: LegState };
}

/** Wordings of one question that are looked for. */
const maxQueries = 10;
/** Passages that each leg finds for each hit that is wanted, and how many at least: fusing and the reranker need a choice. */
const choice = { perHit: 5, min: 50, max: 400 };
/** What a reranker gets to choose from, at least. */
const minReranked = 30;

/**
 * The best matching passages, of those files and bases that the caller may read: anything else in `files` and `knowledge` is
 * as if it were not there. By words and by meaning at the same time; where one of them fails the other goes alone, and the
 * result says so. The same text is found once, whichever files hold it.
 * @throws AppError where nothing could be searched at all
 */
export async function searchPassages(ctx: Context, request: SearchRequest): Promise<SearchResult> {
  const user = requireUser(ctx);
  const { settings } = ctx;
  const { options = {}, k } = request;
  const { signal } = options;
  const given = new Set(request.queries.map((query) => query.trim()).filter(Boolean));
  const queries = [...given].slice(0, maxQueries);
  const legs: SearchResult["legs"] = { keyword: "off", vector: "off", reranker: "off" };
  const isNowhere = (request.files?.length ?? 0) + (request.knowledge?.length ?? 0) === 0;
  if (isNowhere || queries.length === 0 || k < 1) return { hits: [], legs };

  const weight = options.keywordWeight ?? settings.RAG_HYBRID_BM25_WEIGHT;
  const count = Math.min(choice.max, Math.max(choice.min, k * choice.perHit));
  const asked = { user, scope: request, queries, count };
  const byWords = () => attempt(() => findByWords(ctx, asked));
  const byMeaning = async (): Promise<Tried<Meant | undefined>> =>
    weight === 1
      ? { value: undefined }
      : attempt(async () => {
          const question = await embedQuery(ctx, queries, signal);
          return question && (await findByMeaning(ctx, { ...asked, ...question }));
        });
  const [early, meant] = await Promise.all([weight === 0 ? undefined : byWords(), byMeaning()]);
  signal?.throwIfAborted();
  // Words are what is left where there is no meaning.
  const words = early ?? (meant.value ? undefined : await byWords());
  if (words) legs.keyword = stateOf(ctx, words, "The word search failed");
  if ("error" in meant || meant.value) legs.vector = stateOf(ctx, meant, "The vector search failed");
  if (words && "error" in words && !meant.value) throw words.error;

  const isReranked = options.rerank !== false && settings.RAG_RERANKING_URL !== "";
  const wanted = isReranked ? Math.max(k, minReranked) : k;
  // Some more than are shown: which stand above is decided only when both are put together, and some may say the same.
  const eager = isReranked ? wanted : k + 5;
  const found = await loadFound(ctx, { words: words?.value ?? [], meant: meant.value, eager });
  const threshold = options.threshold ?? settings.RAG_RELEVANCE_THRESHOLD;
  const hits = await firstHits(ctx, fuse(found, { keywordWeight: meant.value ? weight : 1, threshold }), wanted);
  if (!isReranked || hits.length === 0) return { hits: hits.slice(0, k), legs };
  const ranked = await attempt(() => rerank(ctx, { query: queries[0]!, hits, count: k, signal }));
  signal?.throwIfAborted();
  legs.reranker = stateOf(ctx, ranked, "The reranker failed");
  return { hits: (ranked.value ?? hits).slice(0, k), legs };
}

/** The first so many that are still there, each text once. */
async function firstHits(ctx: Context, fused: readonly Fused[], count: number): Promise<Hit[]> {
  const hits: Hit[] = [];
  const texts = new Set<string>();
  let waiting = new Set(fused.filter(({ passage }) => !passage).map(({ chunk }) => chunk));
  let loaded: Awaited<ReturnType<typeof loadPassages>> = new Map();
  for (const { chunk, score, similarity, keyword, ...one } of fused) {
    if (hits.length === count) break;
    if (waiting.has(chunk)) {
      const next = [...waiting].slice(0, count);
      loaded = await loadPassages(ctx, next);
      waiting = new Set([...waiting].slice(count));
    }
    const passage = one.passage ?? loaded.get(chunk);
    if (!passage || texts.has(passage.text)) continue;
    texts.add(passage.text);
    hits.push({ chunk, ...passage, score, similarity, keyword });
  }
  return hits;
}

type Tried<T> = { value: T } | { value?: undefined; error: unknown };

async function attempt<T>(work: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

/** What the log gets to know in full, people get to know in words that were meant for them. */
function stateOf(ctx: Context, tried: Tried<unknown>, otherwise: string): LegState {
  if (!("error" in tried)) return "used";
  const { error } = tried;
  ctx.log.warn("a search method failed", { error });
  const isForPeople = error instanceof AppError || error instanceof RerankFailure;
  return { failed: isForPeople ? error.message : otherwise };
}
