import { sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { asBytes, type Meant } from "./find-by-meaning.ts";
import type { Worded } from "./find-by-words.ts";

/** A passage that was found, with how well it fits each wording. */
export interface Found {
  chunk: number;
  fileId: string;
  filename: string;
  contentType: string;
  text: string;
  headings: string[];
  page: number | null;
  label: string | null;
  start: number;
  end: number;
  /** Share of each wording's words; 0 where they were not found, or too many fit better. */
  words: number[];
  /** Cosine for each wording; null where there is no vector. */
  similarities: (number | null)[];
}

interface Row extends Omit<Found, "headings" | "words" | "similarities"> {
  headings: string;
  similarities: string | null;
}

/**
 * What was found, as it stands in the database now; also how near in meaning what was found by its words is. Passages that went
 * in the meantime are left out.
 */
export async function loadHits(
  { db }: Pick<Context, "db">,
  { words, meant }: { words: readonly Worded[][]; meant: Meant | undefined },
): Promise<Found[]> {
  const numbers = new Set([...words.flat().map(({ chunk }) => chunk), ...(meant?.lists.flat() ?? [])]);
  if (numbers.size === 0) return [];
  const distances = (meant?.vectors ?? []).map(
    (vector) => sql`vector_distance_cos(v.vector, vector8(${asBytes(vector)}))`,
  );
  const rows = await db.all<Row>(sql`
    SELECT c.number AS chunk, c.file_id AS fileId, files.filename, files.content_type AS contentType, c.text, c.headings, c.page, c.label,
      c.start, c."end", ${meant ? sql`CASE WHEN v.key IS NOT NULL THEN json_array(${sql.join(distances, sql`, `)}) END` : sql`NULL`} AS similarities
    FROM json_each(${JSON.stringify([...numbers])}) e CROSS JOIN file_chunks c ON c.number = e.value
    CROSS JOIN files ON files.id = c.file_id AND files.version = c.version
    LEFT JOIN chunk_vectors v ON v.space_id = ${meant?.spaceId ?? null} AND v.chunk = c.number`);
  const shares = words.map((list) => new Map(list.map(({ chunk, share }) => [chunk, share])));
  return rows.map((row) => ({
    ...row,
    headings: JSON.parse(row.headings) as string[],
    words: shares.map((list) => list.get(row.chunk) ?? 0),
    similarities:
      row.similarities === null ? [] : (JSON.parse(row.similarities) as (number | null)[]).map(toSimilarity),
  }));
}

function toSimilarity(distance: number | null): number | null {
  return distance === null ? null : Math.max(-1, Math.min(1, 1 - distance));
}
