import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { readableFile } from "../../documents/knowledge/readable.ts";
import type { Piece } from "./piece.ts";

/** How much of a file to include, from its beginning. */
export interface Share {
  fileId: string;
  /** Maximum estimated tokens and passages. The first passage is always included. */
  tokens: number;
  passages: number;
}

interface Row {
  number: number;
  fileId: string;
  filename: string;
  contentType: string;
  text: string;
  headings: string;
  page: number | null;
  label: string | null;
  start: number;
  end: number;
}

/**
 * Passages of files from their beginnings, in text order, of the files that the caller may read; one round trip.
 * Overlap with the previous passage is removed.
 * @param score their score, because they were not compared with a question
 */
export async function loadPieces(ctx: Context, shares: readonly Share[], score: number): Promise<Piece[]> {
  if (shares.length === 0) return [];
  const wanted = JSON.stringify(shares.map(({ fileId: id, tokens, passages }) => ({ id, tokens, passages })));
  const rows = await ctx.db.all<Row>(sql`
    WITH wanted AS (
      SELECT key AS place, value ->> 'id' AS id, value ->> 'tokens' AS room, value ->> 'passages' AS most FROM json_each(${wanted})
    ), begun AS (
      SELECT w.place, w.room, c.*, files.filename, files.content_type,
        sum(c.tokens) OVER (PARTITION BY w.place ORDER BY c.position) AS upto
      FROM wanted w JOIN files ON files.id = w.id
      JOIN file_chunks c ON c.file_id = files.id AND c.version = files.version AND c.position < w.most
      WHERE ${readableFile(requireUser(ctx))}
    )
    SELECT number, file_id AS fileId, filename, content_type AS contentType, text, headings, page, label, start, "end"
    FROM begun WHERE upto <= room OR position = 0 ORDER BY place, position`);
  return rows.map((row, at): Piece => {
    const { fileId: id, filename: name, contentType, page, label, number: chunk } = row;
    const before = rows[at - 1];
    const repeated = before?.fileId === id ? Math.max(0, before.end - row.start) : 0;
    // Where a passage is more than its place in the text (a table's header again), nothing can be cut off by offsets.
    const isPlain = row.text.length === row.end - row.start;
    return {
      source: { type: "file", id, name, contentType },
      text: isPlain ? row.text.slice(repeated) : row.text,
      headings: JSON.parse(row.headings) as string[],
      page,
      label,
      start: isPlain ? row.start + repeated : row.start,
      end: row.end,
      chunk,
      score,
    };
  });
}
