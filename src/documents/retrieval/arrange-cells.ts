import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { cellOf, inCell, nextKey, openCell } from "./vector-key.ts";

/** When an index changes its form, and into which. */
export interface CellLimits {
  /** Fewer vectors than this are compared one by one: that takes some 20 ms. */
  minVectors: number;
  /** So many in the open cell are put into theirs. */
  maxWaiting: number;
  /** When a space has so many times the vectors that its cells were made for, it gets new ones. */
  growth: number;
  /** Cells for n vectors: `perRoot * √n`, because both looking at the centres and looking into a few cells cost time. */
  perRoot: number;
  maxCells: number;
  /** Vectors that the centres of one cell are found from. */
  sampled: { max: number; min: number };
  /** What all of those may take, as float32. */
  sampleBytes: number;
  /** Numbers that finding the centres may compare in one pass: some 40 s for all of its passes (see cluster-vectors.ts). */
  work: number;
}

export const cellLimits: CellLimits = {
  minVectors: 20_000,
  maxWaiting: 4000,
  growth: 4,
  perRoot: 2.5,
  maxCells: 2048,
  sampled: { max: 32, min: 8 },
  sampleBytes: 24_000_000,
  work: 4e9,
};
/** Vectors whose cells are looked for at once: a read; and those that change cells in one transaction. */
const slice = 200;
/** Sampled vectors that are read at once. */
const page = 1000;

export interface ArrangeOptions {
  signal: AbortSignal;
  /** Called after each step that stays done. */
  onMoved?: (count: number) => void;
  limits?: CellLimits;
}

interface State {
  dimension: number | null;
  total: number;
  /** Vectors in the open cell, counted up to a limit. */
  open: number;
  /** The newest one; 0 where there are no cells. */
  generation: number;
  /** Cells of the newest generation, and of those before. */
  cells: number;
  old: number;
}

/** Whether `arrangeCells` has something to do. One round trip that reads a few megabytes at most. */
export async function isArrangingDue(
  services: Pick<Services, "db">,
  spaceId: number,
  limits = cellLimits,
): Promise<boolean> {
  const state = await readState(services, spaceId, limits);
  return state !== undefined && (needsCells(state, limits) || needsMoving(state, limits));
}

/**
 * Keeps the index of a space fit for its size: finds cells for it when it has grown large, or larger by far than those it has
 * were made for, and puts vectors into the nearest one. Searches find everything meanwhile. It may stop anywhere, and goes on
 * from there.
 * @throws ExtractorLost where the centres could not be found; the signal's reason when that ends it
 */
export async function arrangeCells(
  services: Pick<Services, "db" | "extractor">,
  spaceId: number,
  { signal, onMoved, limits = cellLimits }: ArrangeOptions,
): Promise<void> {
  let state = await readState(services, spaceId, limits);
  if (!state) return;
  if (needsCells(state, limits)) {
    await makeCells(services, spaceId, { ...state, limits }, signal);
    state = await readState(services, spaceId, limits);
    if (!state) return;
  }
  if (!needsMoving(state, limits)) return;
  for (;;) {
    signal.throwIfAborted();
    const moved = await moveSome(services, spaceId, state.generation);
    if (moved === 0) break;
    onMoved?.(moved);
  }
  await services.db
    .run(sql`DELETE FROM vector_cells AS c WHERE c.space_id = ${spaceId} AND c.generation < ${state.generation}
    AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE ${inCell(sql.raw("v.key"), cellOf(sql.raw("c.id")))})`);
}

function needsCells({ total, cells, dimension }: State, limits: CellLimits): boolean {
  if (cells === 0) return total >= limits.minVectors;
  // As many as it could have, which for long vectors is less than its size asks for.
  return cellsFor(total, dimension!, limits) >= cells * Math.sqrt(limits.growth);
}

/** How many cells so many vectors get. */
function cellsFor(total: number, dimension: number, limits: CellLimits): number {
  const { min } = limits.sampled;
  const size = dimension * Float32Array.BYTES_PER_ELEMENT;
  const affordable = Math.min(limits.sampleBytes / size / min, Math.sqrt(limits.work / min / dimension));
  return Math.floor(Math.min(limits.maxCells, limits.perRoot * Math.sqrt(total), affordable));
}

function needsMoving({ generation, open, old }: State, { maxWaiting }: CellLimits): boolean {
  return generation > 0 && (open >= maxWaiting || old > 0);
}

/** Undefined where there is no such space any more. */
async function readState(
  { db }: Pick<Services, "db">,
  spaceId: number,
  { maxWaiting }: CellLimits,
): Promise<State | undefined> {
  const cells = sql`vector_cells WHERE space_id = ${spaceId}`;
  const newest = sql`(SELECT coalesce(max(generation), 0) FROM ${cells})`;
  const [state] = await db.all<State>(sql`
    SELECT dimension, (SELECT count(*) FROM chunk_vectors WHERE space_id = ${spaceId}) AS total,
      (SELECT count(*) FROM (SELECT 1 FROM chunk_vectors WHERE ${inCell(sql.raw("key"), openCell(spaceId))} LIMIT ${maxWaiting})) AS open,
      ${newest} AS generation,
      (SELECT count(*) FROM ${cells} AND generation = ${newest}) AS cells,
      (SELECT count(*) FROM ${cells} AND generation < ${newest}) AS old
    FROM embedding_spaces WHERE id = ${spaceId} AND state <> 'dropped'`);
  return state;
}

/** Finds centres from some of the vectors and makes them the newest generation, unless somebody else just did. */
async function makeCells(
  services: Pick<Services, "db" | "extractor">,
  spaceId: number,
  { dimension, total, generation, limits }: State & { limits: CellLimits },
  signal: AbortSignal,
): Promise<void> {
  const size = dimension! * Float32Array.BYTES_PER_ELEMENT;
  const { sampled, sampleBytes, work } = limits;
  const cells = cellsFor(total, dimension!, limits);
  const wanted = Math.floor(Math.min(cells * sampled.max, sampleBytes / size, work / cells / dimension!));
  const vectors = await sample(services, spaceId, wanted, size, signal);
  const count = Math.min(cells, Math.floor(vectors.length / size / sampled.min));
  if (count < 2) return;
  const centres = await services.extractor.cluster(vectors, { dimension: dimension!, count }, signal);
  await services.db.run(sql`INSERT INTO vector_cells (space_id, generation, center)
    SELECT ${spaceId}, ${generation + 1}, vector8(substr(${centres}, value * ${size} + 1, ${size}))
    FROM json_each(${JSON.stringify(Array.from({ length: Math.floor(centres.length / size) }, (_, index) => index))})
    WHERE ${generation} = (SELECT coalesce(max(generation), 0) FROM vector_cells WHERE space_id = ${spaceId})
      AND EXISTS (SELECT 1 FROM embedding_spaces WHERE id = ${spaceId} AND state <> 'dropped')`);
}

/** About so many vectors from all over the space, as float32 one after the other. */
async function sample(
  { db }: Pick<Services, "db">,
  spaceId: number,
  wanted: number,
  size: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(wanted * size);
  let length = 0;
  const numbers = await db.all<{ chunk: number }>(sql`SELECT chunk FROM (
    SELECT chunk, row_number() OVER (ORDER BY chunk) AS place, count(*) OVER () AS total FROM chunk_vectors WHERE space_id = ${spaceId})
    WHERE total <= ${wanted} OR place * ${wanted} / total > (place - 1) * ${wanted} / total LIMIT ${wanted}`);
  for (let start = 0; start < numbers.length; start += page) {
    signal.throwIfAborted();
    const chunks = JSON.stringify(numbers.slice(start, start + page).map(({ chunk }) => chunk));
    const rows = await db.all<{ vector: ArrayBuffer | Uint8Array }>(sql`SELECT vector32(v.vector) AS vector
      FROM json_each(${chunks}) e CROSS JOIN chunk_vectors v ON v.space_id = ${spaceId} AND v.chunk = e.value`);
    for (const { vector } of rows) {
      const part = new Uint8Array(vector);
      if (part.length !== size) continue;
      bytes.set(part, length);
      length += size;
    }
  }
  return bytes.subarray(0, length);
}

/** Puts some vectors of the open cell, then of old ones, into the nearest cell of the newest generation. @returns how many */
async function moveSome({ db }: Pick<Services, "db">, spaceId: number, generation: number): Promise<number> {
  const those = (cells: SQL) => sql`SELECT v.chunk, v.vector FROM (${cells}) o CROSS JOIN chunk_vectors v
    WHERE ${inCell(sql.raw("v.key"), sql.raw("o.cell"))}`;
  // Of the columns beside min() SQLite takes the row that has the minimum.
  const rows = await db.all<{ chunk: number; cell: number }>(sql`
    WITH moving(chunk, vector) AS MATERIALIZED (SELECT * FROM (
      ${those(sql`SELECT ${openCell(spaceId)} AS cell`)} UNION ALL
      ${those(sql`SELECT ${cellOf(sql.raw("id"))} AS cell FROM vector_cells WHERE space_id = ${spaceId} AND generation < ${generation}`)}
    ) LIMIT ${slice})
    SELECT m.chunk, c.id AS cell, min(coalesce(vector_distance_cos(c.center, m.vector), 2)) AS distance
    FROM moving m CROSS JOIN vector_cells c WHERE c.space_id = ${spaceId} AND c.generation = ${generation} GROUP BY m.chunk`);
  const cells = new Map<number, number[]>();
  for (const { chunk, cell } of rows) cells.set(cell, [...(cells.get(cell) ?? []), chunk]);
  const moves = [...cells].flatMap(([cell, chunks]) => {
    const isThere = sql`EXISTS (SELECT 1 FROM vector_cells WHERE id = ${cell})`;
    return chunks.map((chunk) =>
      db.run(sql`UPDATE chunk_vectors SET key = ${nextKey(cellOf(cell))}
        WHERE space_id = ${spaceId} AND chunk = ${chunk} AND ${isThere}`),
    );
  });
  const [first, ...rest] = moves;
  if (!first) return 0;
  await db.batch([first, ...rest]);
  return moves.length;
}
