import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { knowledgeFiles } from "../../../src/documents/knowledge/tables.ts";
import type { QueryResult } from "../../../src/documents/retrieval/schema.ts";
import { newId } from "../../../src/lib/id.ts";
import { grants } from "../../../src/people/grants/tables.ts";
import { organizations } from "../../../src/people/organizations/tables.ts";
import { users } from "../../../src/people/users/tables.ts";
import type { Person } from "../../world.ts";
import { addBase, addFile, addSpace, addText, addVectors, type GivenPassage } from "./add-passages.ts";
import { refusing, vectorOf } from "./embedding/embedding-provider.ts";
import { createEmbeddingWorld, type EmbeddingWorld } from "./embedding/embedding-world.ts";

let world: EmbeddingWorld;
let owner: Person;
let other: Person;
let spaceId: number;
beforeAll(async () => {
  world = await createEmbeddingWorld();
  owner = world.owner;
  other = await world.person({ name: "Bo" });
  await world.set({ RAG_EMBEDDING_MODEL: "tiny-embed" });
  spaceId = await addSpace(world);
  await world.db.run(sql`DELETE FROM embedding_spaces WHERE id <> ${spaceId}`);
});
beforeEach(() => world.provider.always(undefined));
afterAll(async () => {
  await world.provider.close();
  await world.close();
});

/** A file whose passages have vectors. */
async function file(passages: readonly GivenPassage[], filename?: string): Promise<{ id: string; numbers: number[] }> {
  const id = await addFile(world, owner, filename);
  return { id, numbers: await text(id, passages) };
}

async function text(fileId: string, passages: readonly GivenPassage[], options?: { swap: boolean }): Promise<number[]> {
  const numbers = await addText(world, fileId, passages, options);
  const texts = passages.map((one) => (typeof one === "string" ? one : one.text));
  await addVectors(world, spaceId, fileId, new Map(numbers.map((number, at) => [number, vectorOf(texts[at]!)])));
  return numbers;
}

async function ask(
  names: string[],
  query: string,
  options: Record<string, unknown> = {},
  as: { token: string } = owner,
): Promise<{ status: number; texts: string[]; hits: QueryResult["metadatas"][number]; legs: QueryResult["legs"] }> {
  const { status, body } = await world.call<QueryResult>("/api/v1/retrieval/query/collection", {
    as,
    json: { collection_names: names, query, ...options },
  });
  return { status, texts: body.documents?.[0] ?? [], hits: body.metadatas?.[0] ?? [], legs: body.legs };
}

describe("what is found", () => {
  test("passages by their words and by their meaning, with all that is known of them, in the peer's form", async () => {
    const { id, numbers } = await file(
      [
        "The harbour master lives in the red house.",
        { text: "Ropes are sold at the chandler.", headings: ["Shops", "Gear"], page: 3, label: "iii" },
      ],
      "guide.md",
    );
    const { status, body } = await world.call<QueryResult>("/api/v1/retrieval/query/doc", {
      as: owner,
      json: { collection_name: `file-${id}`, query: "Who sells ropes?", k: 1 },
    });
    expect(status).toBe(200);
    expect(body.documents).toEqual([["Ropes are sold at the chandler."]]);
    const [hit] = body.metadatas[0]!;
    expect(hit).toEqual({
      file_id: id,
      name: "guide.md",
      source: "guide.md",
      content_type: "text/markdown",
      chunk: numbers[1],
      headings: ["Shops", "Gear"],
      page: 3,
      label: "iii",
      start: 1000,
      end: 1031,
      score: expect.any(Number) as number,
      similarity: expect.any(Number) as number,
      keyword: true,
    });
    expect(body.distances).toEqual([[1 - hit!.score]]);
    expect(hit!.score).toBeGreaterThan(0);
    expect(hit!.score).toBeLessThanOrEqual(1);
    expect(body.legs).toEqual({ keyword: "used", vector: "used", reranker: "off" });
  });

  test("the best first, and no more than were asked for", async () => {
    const { id } = await file(["Anchor.", "An anchor and a chain.", "An anchor, a chain and a buoy.", "A net."]);
    const { texts, hits } = await ask([`file-${id}`], "anchor chain buoy", { k: 2, hybrid_bm25_weight: 1 });
    expect(texts).toEqual(["An anchor, a chain and a buoy.", "An anchor and a chain."]);
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
  });

  test("names with marks in them, other scripts, and questions that look like a query language", async () => {
    const { id } = await file([
      "Fault LH-403 ends the session.",
      "Fault LH-511 does not.",
      "港の倉庫は東側にあります。",
      "رصيف الميناء مغلق",
    ]);
    const first = async (query: string) => (await ask([`file-${id}`], query, { k: 1, hybrid_bm25_weight: 1 })).texts[0];
    expect(await first("what is lh-511?")).toBe("Fault LH-511 does not.");
    expect(await first("倉庫はどこ")).toBe("港の倉庫は東側にあります。");
    expect(await first("أين رَصِيف السفن")).toBe("رصيف الميناء مغلق");
    for (const query of ['"', "a AND", "NEAR(x", "body:*", "-", "(((", "{scope} : t1", "%", "\\"])
      expect((await ask([`file-${id}`], query)).status).toBe(200);
  });

  test("the same text once, whichever files hold it, and in however many bases they are", async () => {
    const same = "Low tide at Pier Nine.";
    const a = await file([same, "Pier Nine has a crane."]);
    const b = await file([same]);
    const first = await addBase(world, owner, [a.id, b.id]);
    const second = await addBase(world, owner, [b.id]);
    const { texts } = await ask([first, second, `file-${a.id}`, `file-${b.id}`], "pier nine", { k: 10 });
    expect(texts.toSorted()).toEqual([same, "Pier Nine has a crane."]);
  });

  test("many copies of one text do not hide the others", async () => {
    const { id } = await file([...Array.from({ length: 40 }, () => "Fog signal."), "Fog signal at the cape."]);
    expect((await ask([`file-${id}`], "fog signal", { k: 5 })).texts.toSorted()).toEqual([
      "Fog signal at the cape.",
      "Fog signal.",
    ]);
  });

  test("by meaning alone, by words alone, and least similarity", async () => {
    const { id } = await file(["oak ash elm", "oak oak oak"]);
    const onlyWords = await ask([`file-${id}`], "ash", { hybrid_bm25_weight: 1 });
    expect(onlyWords).toMatchObject({ texts: ["oak ash elm"], legs: { keyword: "used", vector: "off" } });
    expect(onlyWords.hits[0]!.similarity).toBeNull();
    const onlyMeaning = await ask([`file-${id}`], "ash", { hybrid: false });
    expect(onlyMeaning.legs).toMatchObject({ keyword: "off", vector: "used" });
    expect(onlyMeaning.texts).toHaveLength(2);
    expect(onlyMeaning.hits.every(({ keyword }) => !keyword)).toBe(true);
    const strict = await ask([`file-${id}`], "ash", { hybrid: false, r: 0.5 });
    expect(strict.hits.every(({ similarity }) => similarity! >= 0.5)).toBe(true);
    expect(strict.texts).not.toContain("oak oak oak");
    // What has the words stays, however far it is.
    expect((await ask([`file-${id}`], "ash", { r: 1 })).texts).toEqual(["oak ash elm"]);
  });
});

describe("what is not found", () => {
  test("what another has, what is deleted and what never was: one 404 for all", async () => {
    const { id } = await file(["A secret cove."]);
    const base = await addBase(world, owner, [id]);
    for (const name of [`file-${id}`, base]) {
      expect((await ask([name], "cove", {}, other)).status).toBe(404);
      expect((await ask([name], "cove", {}, await world.admin())).texts).toEqual(["A secret cove."]);
    }
    for (const name of ["file-", "file-nobody", "user-memory-1", "x'; --", newId()])
      expect((await ask([name], "cove")).status).toBe(404);
    await world.db.run(sql`DELETE FROM files WHERE id = ${id}`);
    expect((await ask([`file-${id}`], "cove")).status).toBe(404);
    expect((await ask([base], "cove")).texts).toEqual([]);
  });

  test("what was taken out of a base, or is no longer shared, from the next question on", async () => {
    const kept = await file(["Lantern oil."]);
    const taken = await file(["Lantern glass."]);
    const base = await addBase(world, owner, [kept.id, taken.id]);
    const values = {
      resourceType: "knowledge",
      resourceId: base,
      principalType: "user",
      principalId: other.id,
    } as const;
    await world.db.insert(grants).values({ id: newId(), ...values, permission: "read", createdAt: 0 });
    expect((await ask([base], "lantern", {}, other)).texts).toHaveLength(2);
    // Whoever may read the base may read its files too.
    expect((await ask([`file-${taken.id}`], "lantern", {}, other)).texts).toEqual(["Lantern glass."]);
    await world.db.delete(knowledgeFiles).where(eq(knowledgeFiles.fileId, taken.id));
    expect((await ask([base], "lantern", {}, other)).texts).toEqual(["Lantern oil."]);
    expect((await ask([`file-${taken.id}`], "lantern", {}, other)).status).toBe(404);
    await world.db.delete(grants).where(eq(grants.resourceId, base));
    expect((await ask([base], "lantern", {}, other)).status).toBe(404);
  });

  test("a base of an organization that the person has left", async () => {
    const { id } = await file(["The slipway is steep."]);
    const base = await addBase(world, owner, [id]);
    const values = {
      resourceType: "knowledge",
      resourceId: base,
      principalType: "user",
      principalId: other.id,
    } as const;
    await world.db.insert(grants).values({ id: newId(), ...values, permission: "read", createdAt: 0 });
    expect((await ask([base], "slipway", {}, other)).texts).toHaveLength(1);
    const away = newId();
    await world.db
      .insert(organizations)
      .values({ id: away, name: "Away", modelIds: null, features: {}, createdAt: 0, updatedAt: 0 });
    const [before] = await world.db.select().from(users).where(eq(users.id, other.id));
    await world.db.update(users).set({ organizationId: away }).where(eq(users.id, other.id));
    expect((await ask([base], "slipway", {}, other)).status).toBe(404);
    await world.db.update(users).set({ organizationId: before!.organizationId }).where(eq(users.id, other.id));
  });

  test("a text that is not swapped in yet, and one that was replaced", async () => {
    const { id } = await file(["The ferry leaves at seven."]);
    await text(id, ["The ferry leaves at nine."], { swap: false });
    expect((await ask([`file-${id}`], "ferry")).texts).toEqual(["The ferry leaves at seven."]);
    await world.db.run(sql`UPDATE files SET version = 2 WHERE id = ${id}`);
    // The old one still lies in the index: nobody has swept yet.
    expect((await ask([`file-${id}`], "ferry")).texts).toEqual(["The ferry leaves at nine."]);
  });

  test("anything for a question without a word, in a file without a text", async () => {
    const id = await addFile(world, owner);
    expect(await ask([`file-${id}`], "anything")).toMatchObject({ status: 200, texts: [] });
    const filled = await file(["Some words."]);
    expect(await ask([`file-${filled.id}`], "?!", { hybrid_bm25_weight: 1 })).toMatchObject({ status: 200, texts: [] });
  });

  test("a request that is no question is refused", async () => {
    for (const body of [
      {},
      { query: "x" },
      { collection_names: [], query: "x" },
      { collection_names: ["a"], query: "" },
      { collection_names: ["a"], query: "x", k: 0 },
      { collection_names: ["a"], query: "x", r: 2 },
    ])
      expect((await world.call("/api/v1/retrieval/query/collection", { as: owner, json: body })).status).toBe(422);
    expect(
      (await world.call("/api/v1/retrieval/query/doc", { json: { collection_name: "a", query: "x" } })).status,
    ).toBe(401);
  });
});

describe("what goes wrong", () => {
  test("where the embedding model fails, words go alone and the answer says so", async () => {
    const { id } = await file(["Dry dock two.", "Something else."]);
    world.provider.always(refusing(500, "out of order"));
    const { texts, legs } = await ask([`file-${id}`], "dock");
    expect(texts).toEqual(["Dry dock two."]);
    expect(legs).toMatchObject({
      keyword: "used",
      vector: { failed: expect.stringMatching(/tiny-embed|out of order/) as string },
    });
    // Even when meaning alone was asked for.
    expect(await ask([`file-${id}`], "dock", { hybrid: false })).toMatchObject({
      texts: ["Dry dock two."],
      legs: { keyword: "used" },
    });
  });

  test("where the words fail, meaning goes alone", async () => {
    const { id } = await file(["tar pitch resin"]);
    await world.client.execute("ALTER TABLE chunk_search RENAME TO chunk_search_away");
    const { texts, legs } = await ask([`file-${id}`], "pitch");
    await world.client.execute("ALTER TABLE chunk_search_away RENAME TO chunk_search");
    expect(texts).toEqual(["tar pitch resin"]);
    expect(legs).toMatchObject({ keyword: { failed: "The word search failed" }, vector: "used" });
  });

  test("where both fail the request fails", async () => {
    const { id } = await file(["tar pitch resin"]);
    world.provider.always(refusing(500, "out of order"));
    await world.client.execute("ALTER TABLE chunk_search RENAME TO chunk_search_away");
    const { status } = await ask([`file-${id}`], "pitch");
    await world.client.execute("ALTER TABLE chunk_search_away RENAME TO chunk_search");
    expect(status).toBe(500);
  });

  test("a vector of another length than the index has", async () => {
    const { id } = await file(["tar pitch resin"]);
    world.provider.dimension = 5;
    const { texts, legs } = await ask([`file-${id}`], "pitch");
    world.provider.dimension = 8;
    expect(texts).toEqual(["tar pitch resin"]);
    expect(legs.vector).toMatchObject({ failed: expect.stringContaining("5") as string });
  });
});

test("passages without a vector are found by their words", async () => {
  const id = await addFile(world, owner);
  await addText(world, id, ["A barge without a vector."]);
  const { hits } = await ask([`file-${id}`], "barge");
  expect(hits).toMatchObject([{ keyword: true, similarity: null }]);
});

test("round trips: who asks, which collections, words, meaning, and what was found", async () => {
  const { id } = await file(["Sail loft."]);
  await ask([`file-${id}`], "sail");
  world.roundTrips.reset();
  await ask([`file-${id}`], "sail");
  expect(world.roundTrips.count).toBeLessThanOrEqual(6);
});
