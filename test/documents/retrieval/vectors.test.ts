import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runBatch } from "../../../src/db/batch.ts";
import { dropVectors, selectUnembedded, vectorStatements } from "../../../src/documents/retrieval/vectors.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { addFile, addSpace, addText, addVectors } from "./add-passages.ts";

let world: World;
let owner: Person;
let spaceId: number;
let fileId: string;
let numbers: number[];
beforeAll(async () => {
  world = await createWorld();
  owner = await world.person();
});
beforeEach(async () => {
  spaceId = await addSpace(world);
  fileId = await addFile(world, owner);
  numbers = await addText(world, fileId, ["one", { text: "two", headings: ["Head"] }, "three"]);
});
afterAll(() => world.close());

const stored = (space = spaceId) =>
  world.db.all<{ chunk: number; first: number }>(
    sql`SELECT chunk, vector_extract(vector32(vector)) ->> 0 AS first FROM chunk_vectors WHERE space_id = ${space} ORDER BY chunk`,
  );
const store = (vectors: Record<number, number[]>, file = fileId) =>
  runBatch(
    world.db,
    vectorStatements(
      world.db,
      spaceId,
      Object.entries(vectors).map(([chunk, vector]) => ({
        chunk: Number(chunk),
        fileId: file,
        vector: Float32Array.from(vector),
      })),
    ),
  );

test("passages without a vector come in their order, a few at a time, until none is left", async () => {
  const of = { fileId, version: 1 };
  const first = await selectUnembedded(world.db, spaceId, of, 2);
  expect(first).toEqual([
    { number: numbers[0], text: "one", headings: [], fileId },
    { number: numbers[1], text: "two", headings: ["Head"], fileId },
  ]);
  expect(await selectUnembedded(world.db, spaceId, of, 2, numbers[1])).toMatchObject([{ text: "three" }]);
  await store({ [numbers[1]!]: [1, 0] });
  expect(await selectUnembedded(world.db, spaceId, of, 9)).toMatchObject([{ text: "one" }, { text: "three" }]);
  await store({ [numbers[0]!]: [1, 0], [numbers[2]!]: [0, 1] });
  expect(await selectUnembedded(world.db, spaceId, of, 9)).toEqual([]);
});

test("of all files the texts count that are searched, not those in the making or replaced", async () => {
  const making = await addText(world, fileId, ["four"], { swap: false });
  const everything = async () =>
    (await selectUnembedded(world.db, spaceId, "all", 1000)).filter((one) => one.fileId === fileId);
  expect((await everything()).map(({ number }) => number)).toEqual(numbers);
  await world.db.run(sql`UPDATE files SET version = 2 WHERE id = ${fileId}`);
  expect((await everything()).map(({ number }) => number)).toEqual(making);
});

test("what has a vector keeps it, and storing again is no error", async () => {
  await store({ [numbers[0]!]: [3, 4] });
  await store({ [numbers[0]!]: [0, 1], [numbers[1]!]: [0, 1] });
  expect((await stored()).map(({ chunk }) => chunk)).toEqual(numbers.slice(0, 2));
  expect((await stored())[0]!.first).toBeCloseTo(3, 1);
});

test("more than one statement holds, in the order that they were given", async () => {
  const many = await addText(
    world,
    fileId,
    Array.from({ length: 300 }, (_, index) => `passage ${index}`),
  );
  await addVectors(world, spaceId, fileId, new Map(many.map((number, index) => [number, [index, 300]])));
  const rows = await stored();
  expect(rows.map(({ chunk }) => chunk)).toEqual(many);
  // One byte for each number: to within a part of its range.
  rows.forEach(({ first }, index) => expect(Math.abs(first - index)).toBeLessThan(1.5));
});

test("another dimension than the first one's is passed over", async () => {
  await store({ [numbers[0]!]: [1, 2, 3] });
  await store({ [numbers[1]!]: [1, 2] });
  expect(await stored()).toHaveLength(1);
  const [space] = await world.db.all(sql`SELECT dimension FROM embedding_spaces WHERE id = ${spaceId}`);
  expect(space).toEqual({ dimension: 3 });
  expect(() =>
    vectorStatements(world.db, spaceId, [
      { chunk: numbers[0]!, fileId, vector: new Float32Array(2) },
      { chunk: numbers[1]!, fileId, vector: new Float32Array(3) },
    ]),
  ).toThrow(RangeError);
});

test("passages that are gone or another file's, and spaces that were dropped, get none", async () => {
  await store({ [numbers[0]!]: [1, 0] }, await addFile(world, owner));
  await store({ [numbers[2]! + 1]: [1, 0] });
  await world.db.run(sql`UPDATE embedding_spaces SET state = 'dropped' WHERE id = ${spaceId}`);
  await store({ [numbers[0]!]: [1, 0] });
  expect(await stored()).toEqual([]);
});

test("a dropped space goes a few vectors at a time, and others keep theirs", async () => {
  const otherSpace = await addSpace(world, "other-embed");
  const many = await addText(
    world,
    fileId,
    Array.from({ length: 2500 }, (_, index) => `passage ${index}`),
  );
  const vectors = new Map(many.map((number) => [number, [1, 2]]));
  for (const space of [spaceId, otherSpace]) await addVectors(world, space, fileId, vectors);
  await world.db.run(
    sql`INSERT INTO vector_cells (space_id, generation, center) VALUES (${spaceId}, 1, vector8('[1,2]')), (${otherSpace}, 1, vector8('[1,2]'))`,
  );

  // What serves is not taken away, whoever asks for it.
  expect(await dropVectors(world, spaceId, 100)).toBe(false);
  expect(await stored()).toHaveLength(2500);
  await world.db.run(sql`UPDATE embedding_spaces SET state = 'dropped' WHERE id = ${spaceId}`);
  expect(await dropVectors(world, spaceId, 1500)).toBe(true);
  expect(await stored()).toHaveLength(1000);
  expect(await dropVectors(world, spaceId, 5000)).toBe(false);
  expect(await stored()).toEqual([]);
  expect(await world.db.all(sql`SELECT id FROM embedding_spaces WHERE id IN (${spaceId}, ${otherSpace})`)).toEqual([
    { id: otherSpace },
  ]);
  expect(await world.db.all(sql`SELECT space_id FROM vector_cells`)).toEqual([{ space_id: otherSpace }]);
  expect(await stored(otherSpace)).toHaveLength(2500);
});
