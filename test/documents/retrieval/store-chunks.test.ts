import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runBatch } from "../../../src/db/batch.ts";
import { textOf } from "../../../src/documents/retrieval/chunk-number.ts";
import { chunkStatements } from "../../../src/documents/retrieval/store-chunks.ts";
import { dropChunks } from "../../../src/documents/retrieval/vectors.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { addFile, addSpace, addText, addVectors, passageOf } from "./add-passages.ts";

let world: World;
let owner: Person;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.person();
});
afterAll(() => world.close());

const count = async (table: string, condition = "true") => {
  const { rows } = await world.client.execute(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`);
  return Number(rows[0]!["n"]);
};
const found = async (match: string) =>
  (
    await world.client.execute({ sql: "SELECT rowid FROM chunk_search WHERE chunk_search MATCH ?", args: [match] })
  ).rows.map((row) => Number(row["rowid"]));
const countOfText = (text: number) => count("chunk_search", `rowid >> 20 = ${text}`);

test("passages are stored with all that is known of them, under numbers of their text", async () => {
  const fileId = await addFile(world, owner);
  const said = { headings: ["Tides", "Spring"], page: 7, label: "vii", start: 12, end: 40, tokens: 9 };
  const numbers = await addText(world, fileId, [
    "Low water comes at six.",
    { text: "High water comes at noon.", ...said },
  ]);
  expect(numbers).toHaveLength(2);
  expect(new Set(numbers.map(textOf)).size).toBe(1);
  const { rows } = await world.client.execute({
    sql: "SELECT * FROM file_chunks WHERE number = ?",
    args: [numbers[1]!],
  });
  expect({ ...rows[0] }).toEqual({
    number: numbers[1],
    file_id: fileId,
    version: 1,
    position: 1,
    text: "High water comes at noon.",
    ...said,
    headings: JSON.stringify(said.headings),
  });
  expect(await found("noon")).toEqual([numbers[1]]);
  // Also by its headings and by what its page is called.
  expect(await found("headings : tide")).toEqual([numbers[1]]);
  expect(await found("headings : vii")).toEqual([numbers[1]]);
});

test("storing the same slice again changes nothing", async () => {
  const fileId = await addFile(world, owner);
  const texts = ["A jetty of oak.", "A jetty of stone."];
  const [first] = await addText(world, fileId, texts);
  await runBatch(
    world.db,
    chunkStatements(world.db, { fileId, version: 1, firstPosition: 0, passages: texts.map(passageOf) }),
  );
  expect(await count("file_chunks", `file_id = '${fileId}'`)).toBe(2);
  expect(await countOfText(textOf(first!))).toBe(2);
  expect(await found("stone")).toHaveLength(1);
});

test("slices that overlap are stored once, and at their places", async () => {
  const fileId = await addFile(world, owner);
  const texts = Array.from({ length: 6 }, (_, index) => `Berth ${index} is free.`);
  const numbers = await addText(world, fileId, texts.slice(0, 4));
  const passages = texts.slice(2).map((text, index) => passageOf(text, index + 2));
  await runBatch(world.db, chunkStatements(world.db, { fileId, version: 1, firstPosition: 2, passages }));
  expect(await count("file_chunks", `file_id = '${fileId}'`)).toBe(6);
  expect(await countOfText(textOf(numbers[0]!))).toBe(6);
});

test("nothing is stored for a text that is gone", async () => {
  const fileId = await addFile(world, owner);
  const numbers = await addText(world, fileId, ["The old chart."]);
  await world.db.run(sql`DELETE FROM file_texts WHERE file_id = ${fileId}`);
  await dropChunks(world, 100);
  await runBatch(
    world.db,
    chunkStatements(world.db, { fileId, version: 1, firstPosition: 0, passages: [passageOf("The old chart.")] }),
  );
  expect(await count("file_chunks", `file_id = '${fileId}'`)).toBe(0);
  expect(await countOfText(textOf(numbers[0]!))).toBe(0);
});

test("a text that takes too many numbers is refused", () => {
  const passages = [passageOf("x")];
  const of = { fileId: "f", version: 1, passages };
  expect(() => chunkStatements(world.db, { ...of, firstPosition: 2 ** 20 })).toThrow(RangeError);
  expect(chunkStatements(world.db, { ...of, firstPosition: 2 ** 20 - 1 })).toHaveLength(2);
});

test("a text that is replaced goes with its words and vectors, a few at a time; the new one stays", async () => {
  const spaceId = await addSpace(world);
  const fileId = await addFile(world, owner);
  const old = await addText(
    world,
    fileId,
    Array.from({ length: 700 }, (_, index) => `Old entry ${index} of the pilot book.`),
  );
  await addVectors(world, spaceId, fileId, new Map(old.map((number, index) => [number, [1, index]])));
  const fresh = await addText(world, fileId, ["New entry of the pilot book."]);
  await addVectors(world, spaceId, fileId, new Map(fresh.map((number) => [number, [1, 1]])));
  await world.db.run(sql`DELETE FROM file_texts WHERE file_id = ${fileId} AND version = 1`);

  expect(await dropChunks(world, 300)).toBe(true);
  expect(await count("file_chunks", `file_id = '${fileId}'`)).toBe(401);
  expect(await dropChunks(world, 1000)).toBe(false);
  expect(await count("file_chunks", `file_id = '${fileId}'`)).toBe(1);
  expect(await countOfText(textOf(old[0]!))).toBe(0);
  expect(await count("chunk_vectors", `chunk >> 20 = ${textOf(old[0]!)}`)).toBe(0);
  expect(await countOfText(textOf(fresh[0]!))).toBe(1);
  expect(await count("chunk_vectors", `space_id = ${spaceId}`)).toBe(1);
  expect(await count("dropped_chunks")).toBe(0);
});

test("with a file all of its texts go, and no number comes back", async () => {
  const fileId = await addFile(world, owner);
  const [first] = await addText(world, fileId, ["One."]);
  const [second] = await addText(world, fileId, ["Two."]);
  await world.db.run(sql`DELETE FROM files WHERE id = ${fileId}`);
  expect(await dropChunks(world, 100)).toBe(false);
  expect(await count("file_chunks", `number IN (${first}, ${second})`)).toBe(0);
  const [next] = await addText(world, await addFile(world, owner), ["Three."]);
  expect(textOf(next!)).toBeGreaterThan(textOf(second!));
});
