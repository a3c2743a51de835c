import type { Context } from "../../context.ts";
import { searchPassages } from "../../documents/retrieval/search.ts";
import { throwIfAborted } from "./abort.ts";
import type { RetrievalNote } from "./note.ts";
import { pieceOfHit, type Piece } from "./piece.ts";

/** Where to look, and for what. */
export interface Search {
  /** Files that the person attached. */
  attached: readonly string[];
  /** Other files to search, such as the model's knowledge. */
  files: readonly string[];
  collections: readonly string[];
  queries: readonly string[];
}

export interface SearchOutcome {
  /** Results for attached files and for the rest; each best first. */
  attached: Piece[];
  others: Piece[];
  /** Problems of the search. */
  notes: RetrievalNote[];
}

/**
 * How many passages each side gets at least: half of RAG_TOP_K each, so that a large collection does not hide an
 * attached file.
 */
export function placesOf(search: Search, topK: number): { attached: number; others: number } {
  const hasOthers = search.files.length + search.collections.length > 0;
  if (search.attached.length === 0) return { attached: 0, others: hasOthers ? topK : 0 };
  const attached = hasOthers ? Math.ceil(topK / 2) : topK;
  return { attached, others: topK - attached };
}

/**
 * Searches both sides at the same time, RAG_TOP_K passages of each. If a search fails, its passages are missing and the
 * failure is reported, but the answer never fails.
 * @throws UpstreamError when the signal fires
 */
export async function searchPieces(ctx: Context, search: Search, signal: AbortSignal): Promise<SearchOutcome> {
  const { queries, attached, files, collections } = search;
  const [own, rest] = await Promise.all([
    searchIn(ctx, { files: attached, collections: [], queries }, signal),
    searchIn(ctx, { files, collections, queries }, signal),
  ]);
  const note = [own.note, rest.note].find((each) => each?.code === "search_failed") ?? own.note ?? rest.note;
  return { attached: own.pieces, others: rest.pieces, notes: note ? [note] : [] };
}

async function searchIn(
  ctx: Context,
  { files, collections, queries }: Omit<Search, "attached">,
  signal: AbortSignal,
): Promise<{ pieces: Piece[]; note?: RetrievalNote }> {
  if (queries.length === 0 || files.length + collections.length === 0) return { pieces: [] };
  try {
    const { hits, legs } = await searchPassages(ctx, {
      files: [...files],
      knowledge: [...collections],
      queries: [...queries],
      k: ctx.settings.RAG_TOP_K,
      options: { signal },
    });
    const failed = Object.values(legs).some((leg) => typeof leg === "object");
    return { pieces: hits.map(pieceOfHit), ...(failed ? { note: incomplete } : {}) };
  } catch (error) {
    throwIfAborted(signal);
    ctx.log.error("a search for an answer failed", { error });
    return { pieces: [], note: broken };
  }
}

const incomplete: RetrievalNote = {
  type: "search",
  name: "Search",
  code: "search_incomplete",
  message: "Part of the search failed, so passages may be missing",
};

const broken: RetrievalNote = {
  type: "search",
  name: "Search",
  code: "search_failed",
  message: "The search failed, so this answer does not use the documents",
};
