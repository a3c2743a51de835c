import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { embedQuery } from "./embedding/embed-texts.ts";
import { findByMeaning, type Meant } from "./find-by-meaning.ts";
import { findByWords } from "./find-by-words.ts";
import { fuse } from "./fuse.ts";
import { loadHits } from "./load-hits.ts";
import { rerank } from "./rerank.ts";
import type { Scope } from "./scope.ts";

/** How one way of searching went: `off` where settings, options or a missing model say so. */
export type LegState = "used" | "off" | { failed: string };

export interface Hit {
  chunk: number;
  fileId: string;
  filename: string;
  contentType: string;
  text: string;
  headings: string[];
  page: number | null;
  label: string | null;
  /** Where it stands in the file's text, UTF-16 units. */
  start: number;
  end: number;
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

/** Passages that each leg finds for each hit that is wanted, and how many at least: fusing and the reranker need a choice. */
const choice = { perHit: 5, least: 50, most: 400 };

/**
 * The passages that fit best, of those files and bases that the caller may read: anything else in `files` and `knowledge` is
 * as if it were not there. By words and by meaning at the same time; where one of them fails the other goes alone, and the
 * result says so. The same text is found once, whichever files hold it.
 * @throws AppError where nothing could be searched at all
 */
export async function searchPassages(ctx: Context, request: SearchRequest): Promise<SearchResult> {
  const user = requireUser(ctx);
  const { settings } = ctx;
  const { options = {}, k } = request;
  const queries = [...new Set(request.queries.map((query) => query.trim()).filter(Boolean))];
  const legs: SearchResult["legs"] = { keyword: "off", vector: "off", reranker: "off" };
  const nothing = (request.files?.length ?? 0) + (request.knowledge?.length ?? 0) === 0;
  if (nothing || queries.length === 0 || k < 1) return { hits: [], legs };

  const weight = options.keywordWeight ?? settings.RAG_HYBRID_BM25_WEIGHT;
  const count = Math.min(choice.most, Math.max(choice.least, k * choice.perHit));
  const asked = { user, scope: request, queries, count };
  const byWords = () => attempt(() => findByWords(ctx, asked));
  const byMeaning = async (): Promise<Tried<Meant | undefined>> =>
    weight === 1
      ? { value: undefined }
      : attempt(async () => {
          const question = await embedQuery(ctx, queries, options.signal);
          return question && (await findByMeaning(ctx, { ...asked, ...question }));
        });
  const [early, meant] = await Promise.all([weight === 0 ? undefined : byWords(), byMeaning()]);
  // Words are what is left where there is no meaning.
  const words = early ?? (meant.value ? undefined : await byWords());

  if (words) legs.keyword = "error" in words ? failed(words.error) : "used";
  if ("error" in meant) legs.vector = failed(meant.error);
  else if (meant.value) legs.vector = "used";
  if (words && "error" in words && !meant.value) throw words.error;

  const found = await loadHits(ctx, { words: words?.value ?? [], meant: meant.value });
  const threshold = options.threshold ?? settings.RAG_RELEVANCE_THRESHOLD;
  const fused = fuse(found, { keywordWeight: meant.value ? weight : 1, threshold });
  if (options.rerank === false || settings.RAG_RERANKING_URL === "" || fused.length === 0)
    return { hits: fused.slice(0, k), legs };
  const ranked = await attempt(() =>
    rerank(ctx, { query: queries[0]!, hits: fused, count: k, signal: options.signal }),
  );
  legs.reranker = "error" in ranked ? failed(ranked.error) : "used";
  return { hits: (ranked.value ?? fused).slice(0, k), legs };

  function failed(error: unknown): LegState {
    ctx.log.warn("a way of searching failed", { error });
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

type Tried<T> = { value: T } | { value?: undefined; error: unknown };

async function attempt<T>(work: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
