import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { isStored } from "../events/message-items.ts";
import type { TurnPlace } from "../functions/turn-place.ts";
import { sourceKey, type Piece, type PieceSource } from "./piece.ts";

/** A passage with its citation number. */
export interface NumberedPiece extends Piece {
  number: number;
  /** The message already has it as a source with this number, because the answer is a continuation. */
  isKnown: boolean;
}

/** The sources of an answer for clients, in Open WebUI's format; the three lists are parallel. */
export interface AnswerSource extends Record<string, unknown> {
  source: { type: PieceSource["type"]; id: string | null; name: string; content_type?: string; url?: string };
  document: string[];
  metadata: Record<string, unknown>[];
  distances: number[];
}

/** Numbers that an answer already uses, by passage, and the highest one. */
export interface UsedNumbers {
  byChunk: ReadonlyMap<number, number>;
  /** Of pages, by address and start. */
  byPlace: ReadonlyMap<string, number>;
  last: number;
}

export const noNumbers: UsedNumbers = { byChunk: new Map(), byPlace: new Map(), last: 0 };

/** The numbers used in the text of an answer that is continued; one round trip. */
export async function loadUsedNumbers(ctx: Context, { chatId, messageId }: TurnPlace): Promise<UsedNumbers> {
  if (!isStored(chatId) || messageId === undefined) return noNumbers;
  const rows = await ctx.db.all<{ metadata: string | null }>(sql`
    SELECT i.data -> 'metadata' AS metadata FROM message_items i JOIN messages m ON m.chat_id = i.chat_id AND m.id = i.message_id
    WHERE i.chat_id = ${chatId} AND i.message_id = ${messageId} AND i.kind = 'source' AND m.user_id = ${requireUser(ctx).id}`);
  const byChunk = new Map<number, number>();
  const byPlace = new Map<string, number>();
  let last = 0;
  for (const { metadata } of rows) {
    const list = metadata === null ? undefined : tryParseJson(metadata);
    for (const each of Array.isArray(list) ? list.filter(isRecord) : []) {
      const { number, chunk, url, start } = each;
      if (typeof number !== "number") continue;
      last = Math.max(last, number);
      if (typeof chunk === "number") byChunk.set(chunk, number);
      else if (typeof url === "string" && typeof start === "number") byPlace.set(placeOf(url, start), number);
    }
  }
  return { byChunk, byPlace, last };
}

function placeOf(url: string, start: number): string {
  return `${start} ${url}`;
}

/** Numbers the passages, from 1 across all sources; existing numbers are kept. */
export function numberPieces(pieces: readonly Piece[], used: UsedNumbers): NumberedPiece[] {
  let { last } = used;
  return pieces.map((piece) => {
    const { url } = piece.source;
    const place = url === undefined ? undefined : used.byPlace.get(placeOf(url, piece.start));
    const known = piece.chunk === null ? place : used.byChunk.get(piece.chunk);
    return { ...piece, number: known ?? (last += 1), isKnown: known !== undefined };
  });
}

/** One source per file or text, with its passages. */
export function toSources(pieces: readonly NumberedPiece[]): AnswerSource[] {
  const grouped = Map.groupBy(pieces, ({ source }) => sourceKey(source));
  return [...grouped.values()].map((group): AnswerSource => {
    const { type, id, name, contentType, url } = group[0]!.source;
    return {
      source: {
        type,
        id,
        name,
        ...(contentType === null ? {} : { content_type: contentType }),
        ...(url === undefined ? {} : { url }),
      },
      document: group.map(({ text }) => text),
      metadata: group.map((piece) => ({
        ...(type === "file" ? { file_id: id } : {}),
        name,
        // Clients of Open WebUI show this as the link.
        source: url ?? name,
        ...(url === undefined ? {} : { url }),
        page: piece.page,
        label: piece.label,
        headings: piece.headings,
        start: piece.start,
        end: piece.end,
        chunk: piece.chunk,
        score: piece.score,
        number: piece.number,
      })),
      distances: group.map(({ score }) => 1 - score),
    };
  });
}
