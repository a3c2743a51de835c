import type { Hit } from "../../documents/retrieval/search.ts";

/** A passage as given to the model and shown as a source. */
export interface Piece {
  /** What it is a part of: pieces of one source are kept together. */
  source: PieceSource;
  text: string;
  headings: readonly string[];
  /** Page or slide, from 1; null where there are none. */
  page: number | null;
  label: string | null;
  /** Its position in the source's text, UTF-16 units. */
  start: number;
  end: number;
  /** The passage's number in the index; null for text from the request. */
  chunk: number | null;
  /** How well it matches the question, 0 to 1. */
  score: number;
}

export interface PieceSource {
  type: "file" | "text" | "web";
  /** Null for text without an id; of a page its address. */
  id: string | null;
  name: string;
  /** Media type; null where it is not known. */
  contentType: string | null;
  /** The address of a page. */
  url?: string;
}

export function pieceOfHit(hit: Hit): Piece {
  const { fileId: id, filename: name, contentType, text, headings, page, label, start, end, chunk, score } = hit;
  return { source: { type: "file", id, name, contentType }, text, headings, page, label, start, end, chunk, score };
}

/** The identity of a source. */
export function sourceKey({ type, id, name }: PieceSource): string {
  return `${type}/${id ?? ""}/${id === null ? name : ""}`;
}
