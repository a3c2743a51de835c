import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileChunks, chunkVectors } from "../../../../src/documents/retrieval/tables.ts";
import { sweepJobs } from "../../../../src/jobs/sweep-jobs.ts";
import { answering, hanging } from "../../../models/provider.ts";
import { listOf, refusing } from "./embedding-provider.ts";
import { createEmbeddingWorld, inAnHour, type EmbeddingWorld } from "./embedding-world.ts";

let world: EmbeddingWorld;
beforeEach(async () => {
  world = await createEmbeddingWorld();
});
afterEach(() => world.close());

const texts = (count: number, of = "passage") => Array.from({ length: count }, (_, at) => `${of} ${at}`);
const choose = (change: Record<string, unknown> = {}) => world.set({ RAG_EMBEDDING_MODEL: "tiny-embed", ...change });
const sorted = (list: readonly string[]) => [...list].sort();

test("a model that is chosen before there are passages serves at once, and files are complete with a vector for each", async () => {
  await choose();
  const id = await world.addFile(texts(150), { headings: ["Rules", "Berths"] });
  expect((await world.file(id)).state).toBe("pending");
  await world.run("embed");
  expect(await world.file(id)).toMatchObject({
    state: "completed",
    stage: null,
    version: 1,
    chunkCount: 150,
    error: null,
  });
  expect(await world.vectors(id, "tiny-embed")).toBe(150);
  expect(await world.jobs()).toEqual([expect.objectContaining({ kind: "rebuild" })]);
  expect(sorted(world.provider.embedded)).toEqual(sorted(texts(150).map((text) => `Rules > Berths\n\n${text}`)));
  expect(await world.status()).toEqual({
    embedding: {
      model: "tiny-embed",
      dimension: 8,
      state: "serving",
      serving_model: "tiny-embed",
      done: 150,
      total: 150,
      error: null,
    },
    keyword_only: false,
    files: { stored: 0, pending: 0, completed: 1, failed: 0 },
  });
  const [told] = world.live.published.filter(({ userId }) => userId === world.owner.id).slice(-1);
  expect(told).toMatchObject({ event: { data: { type: "file:status", data: { id, status: "completed" } } } });
});

test("without a model files are complete as they are, and the status says that words alone are found", async () => {
  const id = await world.addFile(texts(3));
  await world.run("embed");
  expect(await world.file(id)).toMatchObject({ state: "completed", version: 1 });
  expect(world.provider.asked).toEqual([]);
  expect(await world.status()).toMatchObject({ embedding: { model: null, state: "off" }, keyword_only: true });
});

test("batches are as large as was set, and texts get their prefix", async () => {
  await choose({ RAG_EMBEDDING_BATCH_SIZE: 10, RAG_EMBEDDING_CONTENT_PREFIX: "passage: " });
  await world.run("rebuild");
  const id = await world.addFile([...texts(24), "  "]);
  await world.run("embed");
  expect((await world.file(id)).state).toBe("completed");
  expect(world.provider.asked.map((each) => each.length).sort()).toEqual([10, 10, 5]);
  expect(sorted(world.provider.embedded)).toEqual(sorted([...texts(24, "passage: passage"), "passage: -"]));
});

test("long passages are sent a few at a time", async () => {
  await choose();
  await world.addFile(Array.from({ length: 24 }, () => "x".repeat(20_000)));
  await world.run("embed");
  expect(world.provider.asked.map((each) => each.length)).toEqual([10, 10, 4]);
});

describe("a provider that fails in the middle", () => {
  const few = { RAG_EMBEDDING_BATCH_SIZE: 10 };

  test("gets each passage once: what has its vector is not sent again", async () => {
    await choose(few);
    const id = await world.addFile(texts(100));
    let count = 0;
    const storm = (request: Parameters<typeof hanging>[0], response: Parameters<typeof hanging>[1]) => {
      count += 1;
      // Each third call is let through.
      if (count % 3 !== 0) return refusing(429, "slow down", { "retry-after-ms": "1" })(request, response);
      const asked = world.provider.asked.at(-1)!;
      world.provider.embedded.push(...asked);
      return answering(200, listOf(asked.map(() => [1, 2, 3])))(request, response);
    };
    world.provider.always(storm);
    const said: (string | null)[] = [];
    for (let round = 0; round < 30 && (await world.file(id)).state === "pending"; round++) {
      await world.run("embed");
      said.push((await world.file(id)).error);
    }
    expect(said.slice(0, -1).join()).toMatch(
      /^(The embedding model tiny-embed: (slow down|.* too much to do at the moment),?)+$/,
    );
    expect(await world.file(id)).toMatchObject({ state: "completed", error: null });
    expect(sorted(world.provider.embedded)).toEqual(sorted(texts(100)));
    expect(await world.vectors(id, "tiny-embed")).toBe(100);
  });

  test("is asked again later, when it says so, and the job goes on where it was", async () => {
    await choose(few);
    const id = await world.addFile(texts(60));
    let left = 3;
    world.provider.always((request, response) => {
      const asked = world.provider.asked.at(-1)!;
      if (left-- <= 0) return refusing(429, "slow down", { "retry-after": "90" })(request, response);
      world.provider.embedded.push(...asked);
      return answering(200, listOf(asked.map(() => [1, 2, 3])))(request, response);
    });
    const before = Date.now();
    await world.run("embed");
    expect(world.provider.embedded).toHaveLength(30);
    const [job] = await world.db.all<{ due_at: number; attempts: number }>(
      sql`SELECT due_at, attempts FROM jobs WHERE kind = 'embed'`,
    );
    expect(job!.due_at - before).toBeGreaterThan(85_000);
    expect(await world.file(id)).toMatchObject({ state: "pending", stage: "embedding" });
  });

  test("for good ends the file with the reason, and leaves nothing of its text", async () => {
    await choose(few);
    const id = await world.addFile(texts(30));
    world.provider.always(refusing(401, "Incorrect API key provided: sk-harbour-secret-key-1234567890"));
    await world.run("embed", "embed", "embed");
    const file = await world.file(id);
    expect(file).toMatchObject({ state: "failed", errorCode: "embedding_failed", version: 0 });
    expect(file.error).toMatch(/^The embedding model tiny-embed: The upstream refused its connection/);
    expect(file.error).not.toContain("sk-harbour");
    expect((await world.jobs()).filter(({ kind }) => kind === "embed")).toEqual([]);
    expect(await world.db.all(sql`SELECT * FROM file_texts`)).toEqual([]);
  });

  test("once for good among many times that pass is not given up", async () => {
    await choose(few);
    const id = await world.addFile(texts(5));
    const busy = refusing(429, "slow down", { "retry-after-ms": "1" });
    world.provider.next(...Array.from({ length: 15 }, () => busy), refusing(401, "who are you"));
    await world.run("embed", "embed", "embed", "embed", "embed", "embed");
    expect(await world.file(id)).toMatchObject({ state: "pending", error: expect.stringContaining("who are you") });
    await world.run("embed");
    expect(await world.file(id)).toMatchObject({ state: "completed", error: null, errorCode: null });
  });

  test("does not take an older text away", async () => {
    await choose(few);
    const id = await world.addFile(texts(5));
    await world.run("embed");
    await world.addText(id, texts(9, "new"));
    world.provider.always(refusing(404, "no such model"));
    await world.run("embed", "embed", "embed");
    expect(await world.file(id)).toMatchObject({
      state: "failed",
      errorCode: "embedding_failed",
      version: 1,
      chunkCount: 5,
    });
    expect(await world.vectors(id, "tiny-embed")).toBe(5);
  });

  test("until the deadline: the file says what it did last", async () => {
    await choose(few);
    const id = await world.addFile(texts(5));
    world.provider.always(refusing(500, "the disk is full"));
    await world.run("embed");
    expect((await world.file(id)).state).toBe("pending");
    await world.db.run(sql`UPDATE jobs SET deadline = ${Date.now() - 1} WHERE kind = 'embed'`);
    await sweepJobs(world.services);
    expect(await world.file(id)).toMatchObject({
      state: "failed",
      errorCode: "embedding_failed",
      error: "It did not finish in time: The embedding model tiny-embed: the disk is full",
    });
    expect((await world.jobs()).filter(({ kind }) => kind === "embed")).toEqual([]);
  });

  test("by hanging is left at the deadline", async () => {
    await choose(few);
    world.provider.always(hanging);
    const id = await world.addFile(texts(5), { deadline: Date.now() + 700 });
    await world.run("embed");
    expect(await world.file(id)).toMatchObject({ state: "failed", errorCode: "file_timeout" });
  });
});

test("a job whose lease was lost stores what it has, and whoever takes it up goes on", async () => {
  await choose({ RAG_EMBEDDING_BATCH_SIZE: 10 });
  const id = await world.addFile(texts(60));
  let count = 0;
  world.provider.always((request, response) => {
    const asked = world.provider.asked.at(-1)!;
    world.provider.embedded.push(...asked);
    const send = () => answering(200, listOf(asked.map(() => [1, 2, 3])))(request, response);
    count += 1;
    if (count !== 4) return send();
    // In the middle of the work the job is begun anew by somebody.
    void world.db.run(sql`UPDATE jobs SET lease = 'another', lease_until = 0 WHERE kind = 'embed'`).then(send);
  });
  await world.run("embed");
  await world.run("embed");
  expect(await world.file(id)).toMatchObject({ state: "completed" });
  expect(await world.vectors(id, "tiny-embed")).toBe(60);
  expect(new Set(world.provider.embedded).size).toBe(60);
  // Only the calls that were under way just then may have been for nothing: three, of ten passages each.
  expect(world.provider.embedded.length).toBeLessThanOrEqual(90);
});

test("a file that is deleted while it is embedded leaves no vector", async () => {
  await choose();
  const id = await world.addFile(texts(20));
  world.provider.next((request, response) => {
    void world.db
      .run(sql`DELETE FROM files WHERE id = ${id}`)
      .then(() => answering(200, listOf(world.provider.asked.at(-1)!.map(() => [1, 2, 3])))(request, response));
  });
  await world.run("embed");
  expect(await world.file(id)).toBeUndefined();
  const { dropChunks } = await import("../../../../src/documents/retrieval/vectors.ts");
  while (await dropChunks(world.services, 1000));
  expect(await world.db.select().from(chunkVectors)).toEqual([]);
  expect(await world.db.select().from(fileChunks)).toEqual([]);
});

test("a text that is overtaken by another leaves the place to it", async () => {
  await choose();
  const id = await world.addFile(texts(5, "old"));
  await world.addText(id, texts(7, "new"));
  await world.run("embed");
  expect(await world.file(id)).toMatchObject({ state: "completed", version: 2, chunkCount: 7 });
  expect(world.provider.embedded.every((text) => text.startsWith("new"))).toBe(true);
});

test("many files at the same time, of a provider that has its days: all come to an end, with a vector for each passage", async () => {
  await choose({ RAG_EMBEDDING_BATCH_SIZE: 4 });
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, at) => world.addFile(texts(10, `file ${at} passage`), { deadline: inAnHour() })),
  );
  let count = 0;
  const moods = [
    refusing(500, "broken"),
    refusing(429, "slow down", { "retry-after-ms": "2" }),
    answering(200, "<html>"),
    answering(200, listOf([])),
    answering(200, listOf([[null]])),
  ];
  world.provider.always((request, response) => {
    count += 1;
    const mood = count % 2 === 0 ? moods[(count / 2) % moods.length] : undefined;
    if (mood) return mood(request, response);
    const asked = world.provider.asked.at(-1)!;
    world.provider.embedded.push(...asked);
    answering(200, listOf(asked.map(() => [1, 2, 3])))(request, response);
  });
  for (let round = 0; round < 40; round++) {
    await Promise.all([world.run("embed"), world.run("embed"), world.run("embed")]);
    const states = await Promise.all(ids.map(async (id) => (await world.file(id)).state));
    if (states.every((state) => state === "completed")) break;
  }
  for (const id of ids) {
    expect(await world.file(id)).toMatchObject({ state: "completed" });
    expect(await world.vectors(id, "tiny-embed")).toBe(10);
  }
  expect(world.provider.embedded).toHaveLength(120);
});
