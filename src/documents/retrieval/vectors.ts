import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "../../db/client.ts";
import { nextKey, openCell } from "./vector-key.ts";

/** What has no vector yet. */
export interface Unembedded {
  /** The passage. */
  number: number;
  text: string;
  headings: string[];
  fileId: string;
}

/**
 * Passages that have no vector in this space, in the order of their numbers; of one text or of all that count.
 * @param after number of a passage: only those behind it, so that who goes through many does not begin anew each time
 */
export async function selectUnembedded(
  db: Database,
  spaceId: number,
  of: { fileId: string; version: number } | "all",
  limit: number,
  after = -1,
): Promise<Unembedded[]> {
  const those =
    of === "all"
      ? sql`EXISTS (SELECT 1 FROM files f WHERE f.id = c.file_id AND f.version = c.version)`
      : sql`c.file_id = ${of.fileId} AND c.version = ${of.version}`;
  const rows = await db.all<Omit<Unembedded, "headings"> & { headings: string }>(sql`
    SELECT c.number, c.text, c.headings, c.file_id AS fileId FROM file_chunks c
    WHERE c.number > ${after} AND ${those}
      AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.space_id = ${spaceId} AND v.chunk = c.number)
    ORDER BY c.number LIMIT ${limit}`);
  return rows.map((row) => ({ ...row, headings: JSON.parse(row.headings) as string[] }));
}

export interface NewVector {
  chunk: number;
  fileId: string;
  /** Of any length other than 0. */
  vector: Float32Array;
}

/** Rows of one statement: each carries its vectors as one blob. */
const slice = 128;

/**
 * Statements for a batch that store vectors, best some 250 at once. What has one keeps it; passages that are gone, spaces that
 * were dropped and vectors of another dimension than the space's (which the first ones decide) are passed over.
 * @throws RangeError for vectors of several dimensions
 */
export function vectorStatements(db: Database, spaceId: number, rows: readonly NewVector[]): BatchItem<"sqlite">[] {
  const dimension = rows[0]?.vector.length;
  if (dimension === undefined) return [];
  const statements: BatchItem<"sqlite">[] = [
    db.run(sql`UPDATE embedding_spaces SET dimension = ${dimension} WHERE id = ${spaceId} AND dimension IS NULL`),
  ];
  for (let start = 0; start < rows.length; start += slice) {
    const part = rows.slice(start, start + slice);
    const size = dimension * Float32Array.BYTES_PER_ELEMENT;
    const bytes = new Uint8Array(part.length * size);
    part.forEach(({ vector }, index) => {
      if (vector.length !== dimension) throw new RangeError("Vectors with different dimensions");
      bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), index * size);
    });
    const chunks = JSON.stringify(part.map(({ chunk, fileId }) => [chunk, fileId]));
    statements.push(
      db.run(sql`INSERT INTO chunk_vectors (key, space_id, chunk, vector)
        SELECT ${nextKey(openCell(spaceId))} + e.key, s.id, c.number, vector8(substr(${bytes}, e.key * ${size} + 1, ${size}))
        FROM json_each(${chunks}) e
        CROSS JOIN file_chunks c ON c.number = e.value ->> 0 AND c.file_id = e.value ->> 1
        CROSS JOIN embedding_spaces s ON s.id = ${spaceId} AND s.state <> 'dropped' AND s.dimension = ${dimension}
        WHERE true ON CONFLICT (space_id, chunk) DO NOTHING`),
    );
  }
  return statements;
}

/** How many rows one transaction takes away. */
const dropSlice = 250;

/**
 * Takes away up to `limit` passages of texts that are gone, with their words and vectors, a few in each transaction.
 * @returns whether there may be more
 */
export async function dropChunks({ db }: { db: Database }, limit: number): Promise<boolean> {
  const isOf = sql`c.file_id = d.file_id AND (d.version = -1 OR c.version = d.version)`;
  for (let dropped = 0; dropped < limit;) {
    const count = Math.min(dropSlice, limit - dropped);
    const [{ rowsAffected }] = await db.batch([
      db.run(sql`DELETE FROM file_chunks WHERE number IN (
        SELECT c.number FROM dropped_chunks d CROSS JOIN file_chunks c WHERE ${isOf} LIMIT ${count})`),
      db.run(sql`DELETE FROM dropped_chunks AS d WHERE NOT EXISTS (SELECT 1 FROM file_chunks c WHERE ${isOf})`),
    ]);
    if (rowsAffected === 0) return false;
    dropped += rowsAffected;
  }
  return true;
}

/**
 * Takes away up to `limit` vectors of a space that was dropped, and with the last one its cells and the space itself.
 * @returns whether there may be more
 */
export async function dropVectors({ db }: { db: Database }, spaceId: number, limit: number): Promise<boolean> {
  const isDropped = sql`EXISTS (SELECT 1 FROM embedding_spaces WHERE id = ${spaceId} AND state = 'dropped')`;
  const isEmpty = sql`NOT EXISTS (SELECT 1 FROM chunk_vectors WHERE space_id = ${spaceId})`;
  for (let dropped = 0; dropped < limit;) {
    const count = Math.min(dropSlice * 4, limit - dropped);
    const [{ rowsAffected }] = await db.batch([
      db.run(sql`DELETE FROM chunk_vectors WHERE ${isDropped} AND key IN (
        SELECT key FROM chunk_vectors WHERE space_id = ${spaceId} LIMIT ${count})`),
      db.run(sql`DELETE FROM vector_cells WHERE space_id = ${spaceId} AND ${isDropped} AND ${isEmpty}`),
      db.run(sql`DELETE FROM embedding_spaces WHERE id = ${spaceId} AND state = 'dropped' AND ${isEmpty}`),
    ]);
    if (rowsAffected === 0) return false;
    dropped += rowsAffected;
  }
  return true;
}
