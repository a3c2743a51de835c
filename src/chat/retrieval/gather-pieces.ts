import type { Context } from "../../context.ts";
import type { AskedText } from "./asked-items.ts";
import type { KnownFile } from "./find-documents.ts";
import { estimateLong, fitPieces, inReadingOrder } from "./fit-pieces.ts";
import { loadPieces } from "./load-pieces.ts";
import type { RetrievalNote } from "./note.ts";
import type { Piece } from "./piece.ts";
import { placesOf, searchPieces, type Search } from "./search-pieces.ts";
import { shareRoom } from "./share-room.ts";

/** What the answer should be given. */
export interface Wanted {
  search: Search;
  /** Files in `search.attached`: if too few of their passages match the question, their beginnings are added. */
  attached: readonly KnownFile[];
  /** Files to include completely. */
  whole: readonly KnownFile[];
  texts: readonly AskedText[];
}

export interface Gathered {
  /** In the order in which they are given. */
  pieces: Piece[];
  notes: RetrievalNote[];
}

/** Minimum UTF-16 units per token, almost always. */
const unitsPerToken = 2;
/** Minimum tokens of a passage, to estimate how many fit. */
const minPassageTokens = 20;

/**
 * The passages for an answer, within RAG_CONTEXT_TOKENS: search results first, then files to include completely. A
 * search costs what `searchPassages` costs; beginnings and complete files cost one round trip each.
 */
export async function gatherPieces(
  ctx: Context,
  { search, attached, whole, texts }: Wanted,
  signal: AbortSignal,
): Promise<Gathered> {
  const room = ctx.settings.RAG_CONTEXT_TOKENS;
  const topK = ctx.settings.RAG_TOP_K;
  const places = placesOf(search, topK);
  const found = await searchPieces(ctx, search, signal);
  // What one side leaves is there for the other.
  const maxPieces = Math.max(places.attached, topK - found.others.length);
  const more = await beginnings(ctx, attached, found.attached, maxPieces);
  const own = [...found.attached, ...more].slice(0, maxPieces);
  const chosen = [...own, ...found.others.slice(0, topK - own.length)];
  const wanted = [
    ...texts.map(({ content }) => estimateLong(content, room) + minPassageTokens),
    ...whole.map(({ textLength, chunkCount }) => Math.ceil(textLength / unitsPerToken) + chunkCount * minPassageTokens),
  ];
  const total = wanted.reduce((sum, each) => sum + each, 0);
  const passages = fitPieces(chosen, Math.max(room / 2, room - total));
  if (wanted.length === 0) return { pieces: inReadingOrder(passages.pieces), notes: found.notes };

  const shares = shareRoom(room - passages.tokens, wanted);
  const notes = [...found.notes];
  const given: Piece[] = [];
  texts.forEach((text, at) => {
    const fitted = fitPieces([pieceOfText(text)], shares[at]!);
    if (fitted.isShort) notes.push(shortened("text", text.id, text.name));
    given.push(...fitted.pieces);
  });
  const loaded = await loadPieces(
    ctx,
    whole.map(({ id: fileId }, at) => {
      const tokens = shares[texts.length + at]!;
      return { fileId, tokens, passages: Math.ceil(tokens / minPassageTokens) + 1 };
    }),
    1,
  );
  const byFile = Map.groupBy(loaded, ({ source }) => source.id);
  whole.forEach(({ id, filename, chunkCount }, at) => {
    const pieces = byFile.get(id) ?? [];
    const fitted = fitPieces(pieces, shares[texts.length + at]!);
    if (fitted.isShort || pieces.length < chunkCount) notes.push(shortened("file", id, filename));
    given.push(...fitted.pieces);
  });
  return { pieces: inReadingOrder([...passages.pieces, ...given]), notes };
}

/** "What does it say?" matches no words of a file: attached files are then included from their beginning. */
async function beginnings(
  ctx: Context,
  attached: readonly KnownFile[],
  found: readonly Piece[],
  wanted: number,
): Promise<Piece[]> {
  const missing = wanted - found.length;
  if (missing <= 0 || attached.length === 0) return [];
  const shares = shareRoom(
    missing,
    attached.map(({ chunkCount }) => chunkCount),
  );
  // Some of them may be found already: then the next ones are.
  const parts = attached.flatMap(({ id: fileId }, at) =>
    shares[at]! > 0 ? [{ fileId, tokens: ctx.settings.RAG_CONTEXT_TOKENS, passages: shares[at]! + found.length }] : [],
  );
  const known = new Set(found.map(({ chunk }) => chunk));
  const loaded = (await loadPieces(ctx, parts, 0)).filter(({ chunk }) => !known.has(chunk));
  const byFile = Map.groupBy(loaded, ({ source }) => source.id);
  return parts
    .flatMap(({ fileId, passages }) => (byFile.get(fileId) ?? []).slice(0, passages - found.length))
    .slice(0, missing);
}

function pieceOfText({ id, name, content }: AskedText): Piece {
  const source = { type: "text" as const, id: id ?? null, name, contentType: null };
  const place = { page: null, label: null, start: 0, end: content.length, chunk: null };
  return { source, text: content, headings: [], ...place, score: 1 };
}

function shortened(type: string, id: string | undefined, name: string): RetrievalNote {
  const message = `${name} is too long: only part of it was given to the model`;
  return { type, ...(id === undefined ? {} : { id }), name, code: "shortened", message };
}
