import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { embedQuery } from "../../../../src/documents/retrieval/embedding/embed-texts.ts";
import { sweepSpaces } from "../../../../src/documents/retrieval/embedding/spaces.ts";
import { chunkVectors, embeddingSpaces } from "../../../../src/documents/retrieval/tables.ts";
import { contextFor } from "../../../models/context-for.ts";
import { answering, type Behaviour } from "../../../models/provider.ts";
import { storeConnection } from "../../../models/store-connection.ts";
import { defaultOrganizationId } from "../../../world.ts";
import { listOf, refusing, startEmbeddings, vectorOf } from "./embedding-provider.ts";
import { createEmbeddingWorld, type EmbeddingWorld } from "./embedding-world.ts";

let world: EmbeddingWorld;
beforeEach(async () => {
  world = await createEmbeddingWorld();
});
afterEach(() => world.close());

const texts = (count: number, of = "passage") => Array.from({ length: count }, (_, at) => `${of} ${at}`);
const choose = (model: string, change: Record<string, unknown> = {}) =>
  world.set({ RAG_EMBEDDING_MODEL: model, RAG_EMBEDDING_BATCH_SIZE: 5, ...change });
const spaces = async () =>
  (await world.db.select().from(embeddingSpaces).orderBy(embeddingSpaces.id)).map(({ model, state }) => [model, state]);
const servingModel = async () => (await world.status()).embedding.serving_model;
const query = async (text: string) => embedQuery(await contextFor(world, world.owner), [text]);

/** A file that is complete in the space that serves. */
async function complete(count: number, of?: string): Promise<string> {
  const id = await world.addFile(texts(count, of));
  await world.run("embed");
  expect((await world.file(id)).state).toBe("completed");
  return id;
}

/** Requests for embeddings are answered for this model alone. */
function onlyFor(model: string): void {
  world.provider.always((request, response) => {
    const body = JSON.parse(world.provider.bodies.at(-1)!) as { model: string; input: string[] };
    if (body.model !== model) return refusing(404, `${body.model} is gone`)(request, response);
    world.provider.embedded.push(...body.input);
    answering(200, listOf(body.input.map((text) => vectorOf(text))))(request, response);
  });
}

test("what was there before a model was chosen gets its vectors; words are searched until then", async () => {
  const id = await complete(23);
  await choose("tiny-embed");
  expect(world.services.jobs).toHaveProperty("woken", expect.arrayContaining(["rebuild"]));
  expect(await world.status()).toMatchObject({
    embedding: { model: "tiny-embed", state: "building", serving_model: null, done: 0, total: 23 },
    keyword_only: true,
  });
  expect(await query("passage")).toBeUndefined();
  await world.run("rebuild");
  expect(await spaces()).toEqual([["tiny-embed", "serving"]]);
  expect(await world.vectors(id, "tiny-embed")).toBe(23);
  expect(world.provider.embedded).toHaveLength(23);
  expect(await world.jobs()).toEqual([]);
  expect(await world.status()).toMatchObject({
    embedding: { state: "serving", done: 23, error: null },
    keyword_only: false,
  });
});

test("a file that comes while the first index is built is there at once, and in it when it serves", async () => {
  await complete(4, "old");
  await choose("tiny-embed");
  const id = await complete(6, "new");
  expect(world.provider.asked, "the job that fills the index will do it").toEqual([]);
  await world.run("rebuild");
  expect(await world.vectors(id, "tiny-embed")).toBe(6);
  expect(world.provider.embedded).toHaveLength(10);
});

describe("another model", () => {
  test("is filled while the old one serves, and takes its place when nothing is missing", async () => {
    await choose("tiny-embed");
    const id = await complete(12);
    const old = await query("passage 3");
    expect(old?.vectors[0]).toHaveLength(8);
    const good: Behaviour = (request, response) => {
      const asked = world.provider.asked.at(-1)!;
      world.provider.embedded.push(...asked);
      answering(200, listOf(asked.map((text) => vectorOf(text, 4))))(request, response);
    };
    // It fails in the middle.
    world.provider.dimension = 4;
    await choose("other-embed");
    world.provider.next(good, good, ...Array.from({ length: 3 }, () => refusing(500, "broken")));
    await world.run("rebuild");
    expect(await spaces()).toEqual([
      ["tiny-embed", "serving"],
      ["other-embed", "building"],
    ]);
    expect(await world.status()).toMatchObject({
      embedding: {
        model: "other-embed",
        serving_model: "tiny-embed",
        state: "building",
        done: 10,
        total: 12,
        dimension: 4,
      },
      keyword_only: false,
    });
    expect((await world.status()).embedding.error).toBe("The embedding model other-embed: broken");
    await world.run("rebuild");
    expect(await spaces()).toEqual([["other-embed", "serving"]]);
    expect(await world.vectors(id, "other-embed")).toBe(12);
    expect(world.provider.embedded.filter((text) => text.startsWith("passage 3"))).toHaveLength(3);
    expect(await world.db.select().from(chunkVectors)).toHaveLength(12);
    const now = await query("passage 3");
    expect(now?.spaceId).not.toBe(old?.spaceId);
    expect(now?.vectors[0]).toHaveLength(4);
  });

  test("is given up for the one that serves without anything being embedded again", async () => {
    await choose("tiny-embed");
    await complete(12);
    await choose("other-embed");
    await choose("tiny-embed");
    await world.run("rebuild");
    expect(await spaces()).toEqual([["tiny-embed", "serving"]]);
    expect(world.provider.embedded).toHaveLength(12);
  });

  test("that is chosen again before all of it is gone is filled up only", async () => {
    await choose("tiny-embed");
    const id = await complete(12);
    await choose("");
    expect(await spaces()).toEqual([["tiny-embed", "dropped"]]);
    expect(await query("passage")).toBeUndefined();
    await world.db.run(sql`DELETE FROM chunk_vectors WHERE key IN (SELECT key FROM chunk_vectors LIMIT 5)`);
    await choose("tiny-embed");
    await world.run("rebuild");
    expect(await spaces()).toEqual([["tiny-embed", "serving"]]);
    expect(await world.vectors(id, "tiny-embed")).toBe(12);
    expect(world.provider.embedded).toHaveLength(17);
  });

  test("after another, several times: the last one counts", async () => {
    await choose("tiny-embed");
    await complete(7);
    await choose("other-embed");
    await choose("");
    await choose("other-embed");
    await choose("tiny-embed", { RAG_EMBEDDING_CONTENT_PREFIX: "passage: " });
    await choose("other-embed");
    await world.run("rebuild");
    expect(await spaces()).toEqual([["other-embed", "serving"]]);
    expect(await world.db.select().from(chunkVectors)).toHaveLength(7);
  });

  test("that does not exist: the old one serves on, new files too, and the status says why", async () => {
    await choose("tiny-embed");
    await complete(5);
    await choose("typo-embed");
    await world.run("rebuild");
    const id = await complete(3, "new");
    expect(await world.vectors(id, "tiny-embed")).toBe(3);
    expect(await world.status()).toMatchObject({
      embedding: {
        model: "typo-embed",
        serving_model: "tiny-embed",
        state: "building",
        error: "The embedding model typo-embed no longer exists or is switched off",
      },
    });
    expect(await world.jobs()).toEqual([{ kind: "rebuild", subject: "spaces" }]);
  });

  test("in place of one that is gone: files that come meanwhile are embedded for it", async () => {
    await choose("tiny-embed");
    await complete(5);
    onlyFor("other-embed");
    await choose("other-embed");
    const id = await world.addFile(texts(6, "new"));
    await world.run("embed");
    expect(await world.file(id)).toMatchObject({ state: "completed" });
    expect(await world.vectors(id, "other-embed")).toBe(6);
    await world.run("rebuild");
    expect(await servingModel()).toBe("other-embed");
    expect(world.provider.embedded).toHaveLength(5 + 6 + 5);
  });

  test("does not serve as long as a passage has no vector in it, whenever that came", async () => {
    await choose("tiny-embed");
    await complete(5);
    await choose("other-embed");
    // While the last batch is on its way, another file becomes complete in the space that serves.
    let came: string | undefined;
    world.provider.next((request, response) => {
      const asked = world.provider.asked.at(-1)!;
      const send = () => answering(200, listOf(asked.map((text) => vectorOf(text))))(request, response);
      void complete(4, "late").then((id) => ((came = id), send()));
    });
    await world.run("rebuild");
    expect(await servingModel()).toBe("other-embed");
    expect(await world.vectors(came!, "other-embed")).toBe(4);
  });

  test("does not embed texts that do not count yet", async () => {
    await choose("tiny-embed");
    await complete(5);
    const id = await world.addFile(texts(6, "waiting"));
    await choose("other-embed");
    await world.run("rebuild");
    expect(world.provider.embedded.filter((text) => text.startsWith("waiting"))).toEqual([]);
    expect(await servingModel()).toBe("other-embed");
    await world.run("embed");
    expect(await world.vectors(id, "other-embed")).toBe(6);
    expect(world.provider.embedded.filter((text) => text.startsWith("waiting"))).toHaveLength(6);
  });

  test("chosen while a file is embedded for the one before: the file is complete for the one that serves", async () => {
    await choose("tiny-embed");
    const id = await world.addFile(texts(6, "waiting"));
    world.provider.next((request, response) => {
      const asked = world.provider.asked.at(-1)!;
      const send = () => answering(200, listOf(asked.map((text) => vectorOf(text))))(request, response);
      // Nothing counts yet, so the new one serves at once when it is filled.
      void choose("other-embed")
        .then(() => world.run("rebuild"))
        .then(send);
    });
    await world.run("embed", "embed");
    expect(await world.file(id)).toMatchObject({ state: "completed" });
    expect(await servingModel()).toBe("other-embed");
    expect(await world.vectors(id, "other-embed")).toBe(6);
  });
});

test("no model: nothing is left of the index, and files are complete without it", async () => {
  await choose("tiny-embed");
  await complete(12);
  await choose("");
  await world.run("rebuild");
  expect(await spaces()).toEqual([]);
  expect(await world.db.select().from(chunkVectors)).toEqual([]);
  expect(await world.status()).toMatchObject({ embedding: { model: null, state: "off" }, keyword_only: true });
  await complete(2);
  expect(await world.jobs()).toEqual([]);
});

describe("a provider that puts another model behind the same name", () => {
  test("is noticed by the length of its vectors: questions and files say so, and the index can be built anew", async () => {
    await choose("tiny-embed");
    const first = await complete(5);
    world.provider.dimension = 6;
    await expect(query("passage")).rejects.toMatchObject({
      code: "embedding_failed",
      message: "The embedding model tiny-embed returns vectors with 6 dimensions, the index has 8: rebuild the index",
    });
    const second = await world.addFile(texts(3, "new"));
    await world.run("embed", "embed", "embed");
    expect(await world.file(second)).toMatchObject({ state: "failed", errorCode: "embedding_failed" });
    const admin = await world.admin();
    const { status, body } = await world.call("/api/v1/retrieval/embedding/rebuild", { method: "POST", as: admin });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      embedding: { model: "tiny-embed", state: "building", done: 0, total: 5, dimension: null },
    });
    expect(await world.vectors(first, "tiny-embed"), "the old one serves").toBe(5);
    await world.run("rebuild");
    expect(await spaces()).toEqual([["tiny-embed", "serving"]]);
    expect((await query("passage"))?.vectors[0]).toHaveLength(6);
    expect(await world.vectors(first, "tiny-embed")).toBe(5);
  });

  test("cannot be built anew without a model", async () => {
    const admin = await world.admin();
    const { status } = await world.call("/api/v1/retrieval/embedding/rebuild", { method: "POST", as: admin });
    expect(status).toBe(409);
  });
});

test("a prefix for questions changes no vector and counts at once", async () => {
  await choose("tiny-embed");
  await complete(5);
  await world.set({ RAG_EMBEDDING_QUERY_PREFIX: "query: " });
  await query("where to moor");
  expect(world.provider.asked.at(-1)).toEqual(["query: where to moor"]);
  expect(await spaces()).toEqual([["tiny-embed", "serving"]]);
});

test("questions of the old space keep its prefix while another is built", async () => {
  await choose("tiny-embed", { RAG_EMBEDDING_QUERY_PREFIX: "old: " });
  await complete(5);
  await choose("other-embed", { RAG_EMBEDDING_QUERY_PREFIX: "new: " });
  await query("moor");
  expect(world.provider.asked.at(-1)).toEqual(["old: moor"]);
  await world.run("rebuild");
  await query("moor");
  expect(world.provider.asked.at(-1)).toEqual(["new: moor"]);
});

test("the timer makes the spaces of the environment's settings, and promises lost work again", async () => {
  await complete(3);
  await world.db.run(
    sql`INSERT INTO settings (name, value, updated_at) VALUES ('RAG_EMBEDDING_MODEL', '"tiny-embed"', 0)`,
  );
  await sweepSpaces(world.services);
  expect(await spaces()).toEqual([["tiny-embed", "building"]]);
  await world.db.run(sql`DELETE FROM jobs`);
  await sweepSpaces(world.services);
  expect(await world.jobs()).toEqual([{ kind: "rebuild", subject: "spaces" }]);
  await world.db.run(sql`UPDATE jobs SET lease = 'somebody', lease_until = ${Date.now() + 60_000}`);
  await sweepSpaces(world.services);
  const [job] = await world.db.all<{ lease: string }>(sql`SELECT lease FROM jobs`);
  expect(job?.lease, "work that is under way is left alone").toBe("somebody");
});

test("the same model is asked whoever searches, also where an organization has its own of that name", async () => {
  await choose("tiny-embed");
  await complete(2);
  const own = await startEmbeddings();
  const id = await storeConnection(world, { base_url: `${own.origin}/v1` });
  await world.db.run(sql`UPDATE connections SET organization_id = ${defaultOrganizationId} WHERE id = ${id}`);
  expect(await query("moor")).toBeDefined();
  expect(own.asked).toEqual([]);
  await own.close();
});

test("a question costs one round trip and one call, and none of the latter where there is nothing to find", async () => {
  await choose("tiny-embed");
  await complete(2);
  const ctx = await contextFor(world, world.owner);
  await embedQuery(ctx, ["warm"]);
  world.provider.asked.length = 0;
  world.roundTrips.reset();
  const found = await embedQuery(ctx, ["moor", "berth"]);
  expect(found?.vectors).toHaveLength(2);
  expect(world.roundTrips.count).toBe(1);
  expect(world.provider.asked).toEqual([["moor", "berth"]]);
});

test("a question that cannot be embedded says why, without secrets", async () => {
  await choose("tiny-embed");
  await complete(2);
  world.provider.always(refusing(429, "quota of sk-harbour-secret-key-1234567890 is used up", { "retry-after": "60" }));
  const error = await query("moor").catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "embedding_failed", status: 502 });
  expect((error as Error).message).toBe("The embedding model tiny-embed: quota of [redacted] is used up");
});
