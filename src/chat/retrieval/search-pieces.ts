import type { Context } from "../../context.ts";
import { searchPassages } from "../../retrieval/search.ts";
import { throwIfAborted } from "./abort.ts";
import type { RetrievalNote } from "./note.ts";
import { pieceOfHit, type Piece } from "./piece.ts";

export interface Search {
  files: readonly string[];
  collections: readonly string[];
  queries: readonly string[];
}

export interface SearchOutcome {
  /** Best first. */
  pieces: Piece[];
  /** What of the search did not work. */
  notes: RetrievalNote[];
}

/** Searches as RAG_TOP_K says. A search that fails costs the answer its passages, and is said; it never fails the answer. @throws UpstreamError when the signal fires */
export async function searchPieces(
  ctx: Context,
  { files, collections, queries }: Search,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  if (queries.length === 0 || files.length + collections.length === 0) return { pieces: [], notes: [] };
  try {
    const { hits, legs } = await searchPassages(ctx, {
      files: [...files],
      knowledge: [...collections],
      queries: [...queries],
      k: ctx.settings.RAG_TOP_K,
      options: { signal },
    });
    const failed = Object.values(legs).some((leg) => typeof leg === "object");
    return { pieces: hits.map(pieceOfHit), notes: failed ? [incomplete] : [] };
  } catch (error) {
    throwIfAborted(signal);
    ctx.log.error("a search for an answer failed", { error });
    return { pieces: [], notes: [broken] };
  }
}

const incomplete: RetrievalNote = {
  type: "search",
  name: "Search",
  code: "search_incomplete",
  message: "A part of the search did not work, so passages may be missing",
};

const broken: RetrievalNote = {
  type: "search",
  name: "Search",
  code: "search_failed",
  message: "The search did not work, so this answer goes on without the documents",
};
