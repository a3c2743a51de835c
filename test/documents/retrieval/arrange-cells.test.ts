import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { arrangeCells, type CellLimits, isArrangingDue } from "../../../src/documents/retrieval/arrange-cells.ts";
import { findByMeaning } from "../../../src/documents/retrieval/find-by-meaning.ts";
import { dropChunks } from "../../../src/documents/retrieval/vectors.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { addFile, addSpace, addText, addVectors, userOf } from "./add-passages.ts";

let world: World;
let owner: Person;
let spaceId: number;
const fileIds: string[] = [];
/** All that there is, by passage, of length 1. */
const vectors = new Map<number, number[]>();
const limits: CellLimits = {
  minVectors: 400,
  maxWaiting: 100,
  growth: 2,
  perRoot: 2.5,
  maxCells: 500,
  sampled: { max: 32, min: 4 },
  sampleBytes: 1e6,
  work: 1e9,
};
const dimension = 12;

let state = 1;
/** Numbers from 0 to 1, the same in each run. */
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

async function add(count: number): Promise<void> {
  const fileId = await addFile(world, owner);
  fileIds.push(fileId);
  const numbers = await addText(
    world,
    fileId,
    Array.from({ length: count }, (_, index) => `passage ${index}`),
  );
  const given = new Map(numbers.map((number) => [number, Array.from({ length: dimension }, () => random() - 0.5)]));
  await addVectors(world, spaceId, fileId, given);
  for (const [number, vector] of given) {
    const length = Math.hypot(...vector);
    vectors.set(
      number,
      vector.map((value) => value / length),
    );
  }
}

beforeAll(async () => {
  world = await createWorld();
  owner = await world.person();
  spaceId = await addSpace(world);
  await add(300);
});
afterAll(() => world.close());

const arrange = (signal = new AbortController().signal, onMoved?: () => void) =>
  arrangeCells(world.services, spaceId, { signal, limits, ...(onMoved ? { onMoved } : {}) });
const isDue = () => isArrangingDue(world.services, spaceId, limits);
const one = async (query: string) => Number((await world.client.execute(query)).rows[0]![0]);
const open = () => one(`SELECT count(*) FROM chunk_vectors WHERE key >> 32 = ${2 * spaceId}`);
const cells = () => one("SELECT count(*) FROM vector_cells");
const generations = async () =>
  (await world.client.execute("SELECT DISTINCT generation FROM vector_cells ORDER BY 1")).rows.map((row) =>
    Number(row[0]),
  );

/** How many of the exact nearest ten are among the first ten of what is found, over some questions. */
async function recall(exactly: number): Promise<number> {
  let hits = 0;
  const runs = 20;
  for (let run = 0; run < runs; run++) {
    const question = Float32Array.from({ length: dimension }, () => random() - 0.5);
    const near = (vector: readonly number[]) => vector.reduce((sum, value, at) => sum + value * question[at]!, 0);
    const exact = [...vectors]
      .map(([number, vector]) => ({ number, near: near(vector) }))
      .toSorted((a, b) => b.near - a.near)
      .slice(0, 10);
    const { lists } = await findByMeaning(world, {
      user: userOf(owner),
      scope: { files: fileIds },
      count: 10,
      spaceId,
      vectors: [question],
      exactly,
    });
    expect(lists[0]).toHaveLength(10);
    expect(new Set(lists[0]).size).toBe(10);
    hits += exact.filter(({ number }) => lists[0]!.includes(number)).length;
  }
  return hits / runs / 10;
}

test("small indexes have no cells, and all of them is looked at", async () => {
  expect(await isDue()).toBe(false);
  await arrange();
  expect(await cells()).toBe(0);
  expect(await recall(0)).toBeGreaterThanOrEqual(0.95);
  expect(await recall(5000)).toBeGreaterThanOrEqual(0.95);
});

test("one that has grown gets cells, and each vector goes into the nearest", async () => {
  await add(700);
  expect(await isDue()).toBe(true);
  await arrange();
  expect(await isDue()).toBe(false);
  expect(await cells()).toBe(Math.floor(2.5 * Math.sqrt(1000)));
  expect(await open()).toBe(0);
  expect(await one("SELECT count(*) FROM chunk_vectors")).toBe(1000);
  const nearest = await one(`SELECT count(*) FROM (
    SELECT v.key >> 32 AS cell, 2 * c.id + 1 AS best, min(vector_distance_cos(c.center, v.vector))
    FROM chunk_vectors v CROSS JOIN vector_cells c GROUP BY v.key) WHERE cell = best`);
  expect(nearest).toBe(1000);
  expect(await recall(0)).toBeGreaterThanOrEqual(0.95);
});

test("where no more cells can be had it is left as it is, however large it has grown", async () => {
  const narrow = { ...limits, growth: 1.01, sampleBytes: dimension * 4 * limits.sampled.min * 70 };
  expect(await isArrangingDue(world.services, spaceId, narrow)).toBe(false);
  expect(
    await isArrangingDue(world.services, spaceId, { ...narrow, sampleBytes: 1e6, work: dimension * 4 * 70 ** 2 }),
  ).toBe(false);
});

test("what comes later is found at once, and put away when there is enough of it", async () => {
  await add(60);
  expect(await isDue()).toBe(false);
  expect(await open()).toBe(60);
  expect(await recall(0)).toBeGreaterThanOrEqual(0.95);
  await add(60);
  expect(await isDue()).toBe(true);
  await arrange();
  expect(await open()).toBe(0);
  expect(await recall(0)).toBeGreaterThanOrEqual(0.95);
});

test("one that has grown by far gets new cells; stopped on the way it finds all the same, and goes on", async () => {
  await add(1200);
  const stop = new AbortController();
  let steps = 0;
  const stopped = arrange(stop.signal, () => {
    if (++steps === 8) stop.abort(new Error("stop"));
  });
  await expect(stopped).rejects.toThrow("stop");
  expect(await generations()).toEqual([1, 2]);
  expect(await recall(0)).toBeGreaterThanOrEqual(0.95);
  expect(await isDue()).toBe(true);
  await arrange();
  expect(await generations()).toEqual([2]);
  expect(await one("SELECT count(*) FROM chunk_vectors")).toBe(vectors.size);
  expect(await open()).toBe(0);
  expect(await recall(0)).toBeGreaterThanOrEqual(0.95);
});

test("only what the person may find, however few that are", async () => {
  const [first] = fileIds;
  const own = await world.db.all<{ number: number }>(sql`SELECT number FROM file_chunks WHERE file_id = ${first}`);
  const asked = {
    count: 10,
    spaceId,
    vectors: [Float32Array.from({ length: dimension }, () => random() - 0.5)],
    exactly: 0,
  };
  const { lists } = await findByMeaning(world, { ...asked, user: userOf(owner), scope: { files: [first!] } });
  expect(lists[0]).toHaveLength(10);
  expect(lists[0]!.filter((chunk) => !own.some(({ number }) => number === chunk))).toEqual([]);
  const other = await world.person();
  expect((await findByMeaning(world, { ...asked, user: userOf(other), scope: { files: fileIds } })).lists).toEqual([
    [],
  ]);
});

test("passages that go leave their cells", async () => {
  const gone = fileIds.pop()!;
  await world.db.run(sql`DELETE FROM files WHERE id = ${gone}`);
  while (await dropChunks(world, 1000));
  expect(await one("SELECT count(*) FROM chunk_vectors")).toBe(1120);
  expect(await one("SELECT count(*) FROM chunk_search")).toBe(1120);
});

test("two at the same time do not get in each other's way, and a space that was dropped is left alone", async () => {
  await world.db.run(sql`DELETE FROM vector_cells`);
  await world.db.run(
    sql`UPDATE chunk_vectors SET key = (2 * space_id << 32) + chunk % 1048576 + (chunk >> 20) * 100000`,
  );
  await Promise.all([arrange(), arrange()]);
  expect(await generations()).toHaveLength(1);
  expect(await one("SELECT count(*) FROM chunk_vectors")).toBe(1120);
  expect(await open()).toBe(0);
  await world.db.run(sql`UPDATE embedding_spaces SET state = 'dropped'`);
  expect(await isDue()).toBe(false);
  await arrange();
});
