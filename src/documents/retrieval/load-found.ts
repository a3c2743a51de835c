import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Passage } from "../files/extraction/extractor.ts";
import { asBytes, type Meant } from "./find-by-meaning.ts";
import type { Worded } from "./find-by-words.ts";

/** What stands in the database of a passage, as it is now. */
export interface StoredPassage extends Omit<Passage, "tokens"> {
  fileId: string;
  filename: string;
  contentType: string;
}

/** A passage that was found, with how well it fits each wording. */
export interface Found {
  chunk: number;
  /** Share of each wording's words; 0 where they were not found, or too many fit better. */
  words: number[];
  /** Cosine for each wording; empty where there is no vector. */
  similarities: number[];
  /** What it is, where it was loaded already: texts take their time, and most of what is found is not shown. */
  passage: StoredPassage | undefined;
}

interface Row {
  chunk: number;
  similarities: string | null;
  passage: string | null;
}

const passage = sql`json_array(c.file_id, files.filename, files.content_type, c.text, json(c.headings), c.page, c.label, c.start, c."end")`;
type PassageRow = [string, string, string, string, string[], number | null, string | null, number, number];

/**
 * What both ways found, each passage once; also how near in meaning that is which was found by its words.
 * @param eager of so many of each list the passage itself is loaded too
 */
export async function loadFound(
  { db }: Pick<Context, "db">,
  { words, meant, eager }: { words: readonly Worded[][]; meant: Meant | undefined; eager: number },
): Promise<Found[]> {
  const lists = [...words.map((list) => list.map(({ chunk }) => chunk)), ...(meant?.lists ?? [])];
  const first = new Set(lists.flatMap((list) => list.slice(0, eager)));
  const numbers = [...new Set(lists.flat())].map((chunk) => [chunk, first.has(chunk) ? 1 : 0]);
  if (numbers.length === 0) return [];
  const distances = (meant?.vectors ?? []).map(
    (vector) => sql`coalesce(vector_distance_cos(v.vector, vector8(${asBytes(vector)})), 1)`,
  );
  const similarities = meant
    ? sql`CASE WHEN v.key IS NOT NULL THEN json_array(${sql.join(distances, sql`, `)}) END`
    : sql`NULL`;
  const rows = await db.all<Row>(sql`
    SELECT e.value ->> 0 AS chunk, ${similarities} AS similarities, CASE WHEN files.id IS NOT NULL THEN ${passage} END AS passage
    FROM json_each(${JSON.stringify(numbers)}) e
    LEFT JOIN chunk_vectors v ON v.space_id = ${meant?.spaceId ?? null} AND v.chunk = e.value ->> 0
    LEFT JOIN file_chunks c ON e.value ->> 1 AND c.number = e.value ->> 0
    LEFT JOIN files ON files.id = c.file_id AND files.version = c.version`);
  const shares = words.map((list) => new Map(list.map(({ chunk, share }) => [chunk, share])));
  return rows.map((row) => ({
    chunk: row.chunk,
    words: shares.map((list) => list.get(row.chunk) ?? 0),
    similarities: row.similarities === null ? [] : (JSON.parse(row.similarities) as number[]).map((far) => 1 - far),
    passage: row.passage === null ? undefined : toPassage(row.passage),
  }));
}

/** Those of these passages that are still what is searched, by their numbers. */
export async function loadPassages(
  { db }: Pick<Context, "db">,
  chunks: readonly number[],
): Promise<Map<number, StoredPassage>> {
  if (chunks.length === 0) return new Map();
  const rows = await db.all<{ chunk: number; passage: string }>(sql`
    SELECT c.number AS chunk, ${passage} AS passage FROM json_each(${JSON.stringify(chunks)}) e
    CROSS JOIN file_chunks c ON c.number = e.value CROSS JOIN files ON files.id = c.file_id AND files.version = c.version`);
  return new Map(rows.map((row) => [row.chunk, toPassage(row.passage)]));
}

function toPassage(json: string): StoredPassage {
  const [fileId, filename, contentType, text, headings, page, label, start, end] = JSON.parse(json) as PassageRow;
  return { fileId, filename, contentType, text, headings, page, label, start, end };
}
