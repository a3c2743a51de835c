import { afterAll, beforeAll, expect, test } from "vitest";
import type { QueryResult } from "../../../src/documents/retrieval/schema.ts";
import { answering, type Behaviour, startProvider, type Provider } from "../../models/provider.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { addFile, addText } from "./add-passages.ts";

const key = "rr-harbour-secret-key-1234567890";
let provider: Provider;
let behaviour: Behaviour;
let world: World;
let owner: Person;
let name: string;
const passages = ["Pilot boat one.", "Pilot boat two.", "Pilot boat three."];

beforeAll(async () => {
  provider = await startProvider((request, response) => behaviour(request, response));
  world = await createWorld({
    environment: {
      RAG_RERANKING_URL: `${provider.origin}/rerank`,
      RAG_RERANKING_MODEL: "tiny-rerank",
      RAG_RERANKING_API_KEY: key,
    },
  });
  owner = await world.person();
  const fileId = await addFile(world, owner);
  await addText(
    world,
    fileId,
    passages.map((text) => ({ text, headings: ["Boats", "Pilots"] })),
  );
  name = `file-${fileId}`;
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

async function ask(options: Record<string, unknown> = {}) {
  const { body } = await world.call<QueryResult>("/api/v1/retrieval/query/doc", {
    as: owner,
    json: { collection_name: name, query: "pilot boat", ...options },
  });
  return { texts: body.documents[0]!, hits: body.metadatas[0]!, legs: body.legs };
}
const scores = (list: unknown): Behaviour => answering(200, JSON.stringify(list));
/** The reranker names passages by the places in which it got them. */
const placeOf = (text: string) =>
  (JSON.parse(provider.bodies.at(-1)!) as { documents: string[] }).documents.findIndex((one) => one.endsWith(text));
const preferring =
  (...texts: string[]): Behaviour =>
  (request, response) => {
    const results = texts.map((text, at) => ({ index: placeOf(text), relevance_score: 0.9 - at / 10 }));
    answering(200, JSON.stringify({ results }))(request, response);
  };

test("its order counts, with its scores; what it says nothing of comes after", async () => {
  behaviour = preferring("three.", "one.");
  const { texts, hits, legs } = await ask();
  expect(texts).toEqual(["Pilot boat three.", "Pilot boat one.", "Pilot boat two."]);
  expect(hits[0]!.score).toBeCloseTo(0.9);
  expect(hits[1]!.score).toBeCloseTo(0.8);
  expect(hits[2]!.score).toBeLessThanOrEqual(0.8);
  expect(legs.reranker).toBe("used");
  const sent = JSON.parse(provider.bodies.at(-1)!) as Record<string, unknown>;
  expect(sent).toMatchObject({ model: "tiny-rerank", query: "pilot boat", top_n: 3 });
  expect((sent["documents"] as string[]).toSorted()[0]).toBe("Boats > Pilots\nPilot boat one.");
  expect(provider.headers.at(-1)!.authorization).toBe(`Bearer ${key}`);
});

test("how many it leaves can be said", async () => {
  behaviour = preferring("two.", "three.", "one.");
  expect((await ask({ k: 3, k_reranker: 1 })).texts).toEqual(["Pilot boat two."]);
});

test("other forms of answers, and scores that are no shares", async () => {
  for (const wrap of [(list: unknown[]) => list, (data: unknown[]) => ({ data })]) {
    behaviour = scores(
      wrap([
        { index: 2, score: 7.5 },
        { index: 0, score: -3 },
        { index: 1, score: -4 },
      ]),
    );
    const { hits, legs } = await ask();
    expect(legs.reranker).toBe("used");
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(hits.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
    expect(hits[0]!.score).toBeGreaterThan(0.99);
  }
});

test("where it fails the order stays, and the answer says so, without the key", async () => {
  const failures: Behaviour[] = [
    answering(500, `broken ${key}`),
    answering(302, "", { location: "http://127.0.0.1:1/" }),
    answering(200, "<html>"),
    answering(200, "x".repeat(2_000_000)),
    scores({ results: [{ index: 99, relevance_score: 1 }] }),
    scores({ results: [{ index: 0, relevance_score: "high" }] }),
    scores({ results: "none" }),
    (request) => void request.socket.destroy(),
  ];
  for (const failure of failures) {
    behaviour = failure;
    const { texts, legs } = await ask();
    expect(texts).toHaveLength(3);
    expect(legs.reranker).toEqual({ failed: expect.stringMatching(/^The reranker('s answer)? /) as string });
    expect(JSON.stringify(legs)).not.toContain(key);
  }
});

test("it is not asked where nothing was found", async () => {
  const before = provider.bodies.length;
  const { legs } = await ask({ query: "zeppelin" });
  expect(legs.reranker).toBe("off");
  expect(provider.bodies).toHaveLength(before);
});
