import { sql } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { cellLimits } from "./arrange-cells.ts";
import { positionBits } from "./chunk-number.ts";
import { allowedTexts, type Scope } from "./scope.ts";
import { cellOf, inCell, openCell } from "./vector-key.ts";

export interface Question {
  spaceId: number;
  /** One for each wording. */
  vectors: readonly Float32Array[];
}

export interface Meant extends Question {
  /** Numbers of passages, the nearest first; one list for each wording. */
  lists: number[][];
}

/** Up to so many passages are compared one by one; above that, cells are looked into. */
const maxExact = 5000;
/**
 * Cells of each generation that are looked into. With 100,000 vectors made out of 2,000 real ones, and real questions, 32 of 800
 * cells (5 % of the vectors) hold 97 % of the nearest ten, 48 cells 99 %; of 400 larger cells 48 (13 %) hold 97 %. Where only
 * some of the passages may be found the nearest of those are farther away: then it is more cells.
 */
const probes = 40;

/** What is nearest to the question by its vector: one statement for each wording, all in one round trip. */
export async function findByMeaning(
  { db }: Pick<Context, "db">,
  {
    user,
    scope,
    count,
    spaceId,
    vectors,
    exactly = maxExact,
  }: { user: User; scope: Scope; count: number; exactly?: number } & Question,
): Promise<Meant> {
  const bits = sql.raw(String(positionBits));
  const vectorsFor = sql.raw(`cells * cells / ${cellLimits.perRoot ** 2}`);
  const statements = vectors.map((vector) =>
    db.all<{ chunk: number }>(sql`WITH ${allowedTexts(user, scope)},
      total(n) AS MATERIALIZED (SELECT coalesce(sum(size), 0) FROM allowed),
      question(vector) AS MATERIALIZED (SELECT vector8(${asBytes(vector)})),
      near(cell) AS MATERIALIZED (
        SELECT ${openCell(spaceId)} UNION ALL
        SELECT ${cellOf(sql.raw("id"))} FROM (
          SELECT id, count(*) OVER (PARTITION BY generation) AS cells,
            row_number() OVER (PARTITION BY generation ORDER BY vector_distance_cos(center, question.vector)) AS place
          FROM vector_cells, question WHERE space_id = ${spaceId}), total
        WHERE place <= ${probes} * CASE WHEN 16 * n < ${vectorsFor} THEN 4 WHEN 4 * n < ${vectorsFor} THEN 2 ELSE 1 END)
      SELECT chunk FROM (
        SELECT v.chunk, coalesce(vector_distance_cos(v.vector, question.vector), 2) AS distance
        FROM question CROSS JOIN allowed CROSS JOIN chunk_vectors v
        WHERE (SELECT n FROM total) <= ${exactly} AND v.space_id = ${spaceId}
          AND v.chunk BETWEEN (allowed.text << ${bits}) AND ((allowed.text + 1) << ${bits}) - 1
        UNION ALL
        SELECT v.chunk, coalesce(vector_distance_cos(v.vector, question.vector), 2)
        FROM question CROSS JOIN near CROSS JOIN chunk_vectors v
        WHERE (SELECT n FROM total) > ${exactly} AND ${inCell(sql.raw("v.key"), sql.raw("near.cell"))}
          AND (v.chunk >> ${bits}) IN (SELECT text FROM allowed))
      ORDER BY distance LIMIT ${count}`),
  );
  const [first, ...rest] = statements;
  const results = first ? await db.batch([first, ...rest]) : [];
  return { spaceId, vectors, lists: results.map((rows) => rows.map(({ chunk }) => chunk)) };
}

export function asBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
