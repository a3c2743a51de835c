import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toFloats } from "../../../../src/documents/retrieval/embedding/vector.ts";
import { answering, startProvider, type Behaviour, type Provider } from "../../../models/provider.ts";
import { storeConnection } from "../../../models/store-connection.ts";
import { createWorld, origin, type Person, type World } from "../../../world.ts";
import { listOf, refusing, startEmbeddings, vectorOf, type EmbeddingProvider } from "./embedding-provider.ts";

const key = "sk-harbour-secret-key-1234567890";
const paths = ["/api/embeddings", "/api/v1/embeddings"] as const;
const [path] = paths;

let world: World;
let provider: EmbeddingProvider;
let local: Provider;
let ada: Person;
/** What the local runtime does with a request for embeddings. */
let runtime: Behaviour;

beforeAll(async () => {
  world = await createWorld();
  provider = await startEmbeddings();
  local = await startProvider((request, response) => {
    if (request.url === "/api/tags")
      return answering(200, JSON.stringify({ models: [{ name: "nomic", model: "nomic" }] }))(request, response);
    runtime(request, response);
  });
  await storeConnection(world, { base_url: `${provider.origin}/v1`, key });
  await storeConnection(world, { kind: "local", base_url: local.origin, prefix_id: "home" });
  ada = await world.person();
});
afterAll(async () => {
  await world.close();
  await provider.close();
  await local.close();
});
beforeEach(() => {
  provider.always(undefined);
  local.requests.length = 0;
  runtime = answering(200, JSON.stringify({ model: "nomic", embeddings: [[0.5, 0.25]], prompt_eval_count: 7 }));
});

interface List {
  object: string;
  model: string;
  data: { object: string; index: number; embedding: number[] | string }[];
  usage: { prompt_tokens: number; total_tokens: number };
}
const ask = (json: unknown, as: Person = ada) => world.call<List>(path, { as, json });
const refused = async (json: unknown, as: Person = ada) =>
  world.call<{ error: { message: string; type: string; code: string; param: string | null } }>(path, { as, json });
const sent = (from: Provider = provider) => JSON.parse(from.bodies.at(-1)!) as Record<string, unknown>;

test.each(paths)("%s gives a vector for each text, as the provider says it", async (at) => {
  const { status, body } = await world.call<List>(at, { as: ada, json: { model: "tiny-embed", input: ["a", "b"] } });
  expect(status).toBe(200);
  expect(body).toEqual(JSON.parse(listOf([vectorOf("a"), vectorOf("b")])));
  expect(sent()).toEqual({ model: "tiny-embed", input: ["a", "b"] });
});

test.each<[string, unknown]>([
  ["a text", "a"],
  ["tokens", [1, 2, 3]],
  ["texts as tokens", [[1, 2], [3]]],
])("%s may be asked for", async (_, input) => {
  const count = Array.isArray(input) && Array.isArray(input[0]) ? 2 : 1;
  provider.next(answering(200, listOf(Array.from({ length: count }, () => [0.5, 0.25]))));
  const { status, body } = await ask({
    model: "tiny-embed",
    input,
    dimensions: 2,
    user: "somebody",
    input_type: "query",
  });
  expect(status).toBe(200);
  expect(body.data).toHaveLength(count);
  expect(sent()).toEqual({ model: "tiny-embed", input, dimensions: 2, user: "somebody", input_type: "query" });
});

describe("base64", () => {
  const numbers = [0.5, -0.25, 1.5];
  test("is what comes when it is asked for, whatever the provider answers with", async () => {
    for (const said of [numbers, toFloats(Float32Array.from(numbers))]) {
      provider.next(answering(200, listOf([said])));
      const { body } = await ask({ model: "tiny-embed", input: "a", encoding_format: "base64" });
      expect(body.data[0]?.embedding).toBe(toFloats(Float32Array.from(numbers)));
      expect(sent()).toMatchObject({ encoding_format: "base64" });
    }
  });

  test("that nobody asked for becomes numbers", async () => {
    provider.next(answering(200, listOf([toFloats(Float32Array.from(numbers))])));
    const { body } = await ask({ model: "tiny-embed", input: "a", encoding_format: "float" });
    expect(body.data[0]?.embedding).toEqual(numbers);
  });

  test("is had from a provider that refuses the word", async () => {
    provider.next(refusing(400, "encoding_format is not supported"), answering(200, listOf([numbers])));
    const { status, body } = await ask({ model: "tiny-embed", input: "a", encoding_format: "base64" });
    expect(status).toBe(200);
    expect(body.data[0]?.embedding).toBe(toFloats(Float32Array.from(numbers)));
    expect(sent()).not.toHaveProperty("encoding_format");
  });

  test("is what the SDK asks for without being told to", async () => {
    const client = new OpenAI({
      baseURL: `${origin}/api`,
      apiKey: ada.token,
      maxRetries: 0,
      fetch: (url, init) => Promise.resolve(world.app.fetch(new Request(url, init as RequestInit), world.services)),
    });
    const { data } = await client.embeddings.create({ model: "tiny-embed", input: ["a"] });
    expect(sent()).toMatchObject({ encoding_format: "base64" });
    expect(data[0]?.embedding).toEqual(vectorOf("a").map((number) => Math.fround(number)));
    await expect(client.embeddings.create({ model: "nothing", input: "a" })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
  });
});

describe("a local runtime", () => {
  test("is asked at /api/embed, and answers in the same shape", async () => {
    const { status, body } = await ask({ model: "home.nomic", input: "a", dimensions: 2, encoding_format: "float" });
    expect(status).toBe(200);
    expect(body).toEqual({
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [0.5, 0.25] }],
      model: "home.nomic",
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
    expect(local.requests.at(-1)).toBe("POST /api/embed");
    expect(sent(local)).toEqual({ model: "nomic", input: "a", dimensions: 2 });
  });

  test("without that path is asked at /v1/embeddings", async () => {
    runtime = (request, response) =>
      request.url === "/v1/embeddings"
        ? answering(200, listOf([[0.5, 0.25]]))(request, response)
        : answering(404, "File Not Found")(request, response);
    const { status, body } = await ask({ model: "home.nomic", input: "a" });
    expect([status, body.data[0]?.embedding]).toEqual([200, [0.5, 0.25]]);
    expect(local.requests).toEqual(expect.arrayContaining(["POST /api/embed", "POST /v1/embeddings"]));
  });

  test("that has neither says so in its own words", async () => {
    runtime = (request, response) =>
      request.url === "/v1/embeddings"
        ? answering(404, "")(request, response)
        : answering(404, '{"error":"model \\"nomic\\" not found, try pulling it first"}')(request, response);
    const { status, body } = await refused({ model: "home.nomic", input: "a" });
    expect([status, body.error.message]).toEqual([404, 'model "nomic" not found, try pulling it first']);
  });

  test("gets tokens where alone they are understood", async () => {
    runtime = answering(200, listOf([[0.5, 0.25]]));
    await ask({ model: "home.nomic", input: [1, 2, 3] });
    expect(local.requests.at(-1)).toBe("POST /v1/embeddings");
  });
});

describe("a failure speaks OpenAI's dialect, without the connection's key", () => {
  test.each<[string, Behaviour, number, string | null, RegExp]>([
    [
      "a refused key",
      refusing(401, `Incorrect API key: ${key}`),
      502,
      "upstream_unauthorized",
      /rejected this connection's credentials/,
    ],
    ["too many requests", refusing(429, "slow down", { "retry-after": "7" }), 429, null, /slow down/],
    ["a bad request", refusing(400, "too long"), 400, null, /too long/],
    ["a web page", answering(200, "<html>"), 502, "upstream_invalid_answer", /web page/],
    ["a redirect", answering(302, "", { location: "https://elsewhere.example" }), 502, "upstream_redirect", /redirect/],
    ["too few vectors", answering(200, listOf([])), 502, "upstream_wrong_count", /0 vectors for 1 text/],
    ["no vector", answering(200, listOf([null])), 502, "upstream_invalid_answer", /not a vector/],
    ["nothing", answering(200, ""), 502, "upstream_empty_answer", /nothing/],
  ])("%s", async (_, behaviour, expected, code, words) => {
    provider.next(behaviour);
    const { status, body, headers } = await refused({ model: "tiny-embed", input: "a" });
    expect([status, body.error.code]).toEqual([expected, code]);
    expect(body.error.message).toMatch(words);
    expect(JSON.stringify(body)).not.toContain(key);
    expect(headers.get("retry-after")).toBe(status === 429 ? "7" : null);
  });

  test.each<[string, unknown, number]>([
    ["no input", { model: "tiny-embed" }, 422],
    ["an empty text", { model: "tiny-embed", input: "" }, 422],
    ["an empty list", { model: "tiny-embed", input: [] }, 422],
    ["a list of both", { model: "tiny-embed", input: ["a", 1] }, 422],
    ["numbers that are no tokens", { model: "tiny-embed", input: [1.5] }, 422],
    ["another encoding", { model: "tiny-embed", input: "a", encoding_format: "int8" }, 422],
    ["no model", { input: "a" }, 422],
    ["an unknown model", { model: "nothing", input: "a" }, 404],
    ["a list", [], 422],
  ])("%s", async (_, json, expected) => {
    const { status, body } = await refused(json);
    expect([status, body.error.type]).toEqual([
      expected,
      expected === 404 ? "not_found_error" : "invalid_request_error",
    ]);
  });

  test("a model that is not the caller's to use is not there", async () => {
    const other = await world.person();
    await world.call("/api/v1/models/create", {
      as: ada,
      json: { id: "adas", name: "Ada's", base_model_id: "tiny-embed", meta: {}, params: {} },
    });
    expect((await refused({ model: "adas", input: "a" }, other)).status).toBe(404);
  });

  test("a body that is no JSON, or too large, is refused", async () => {
    const post = (body: string) => world.call<{ error: { code: string } }>(path, { as: ada, method: "POST", body });
    expect((await post("{")).status).toBe(400);
    expect((await post(JSON.stringify({ model: "tiny-embed", input: "x".repeat(8_000_001) }))).status).toBe(413);
    expect((await world.call(path, { json: { model: "tiny-embed", input: "a" } })).status).toBe(401);
  });
});

test("the guide, which is part of the service, makes no embeddings and says so", async () => {
  const alone = await createWorld();
  const person = await alone.person();
  const { status, body } = await alone.call<{ error: { message: string; param: string } }>(path, {
    as: person,
    json: { model: "parley-guide", input: "a" },
  });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({
    message: "parley-guide is a function: it supports chats but not embeddings",
    param: "model",
  });
  await alone.close();
});

test("a caller who goes away lets the provider go", async () => {
  const left = Promise.withResolvers<void>();
  const abort = new AbortController();
  provider.next((_, response) => {
    response.once("close", () => left.resolve());
    abort.abort();
  });
  const answer = await world.request(path, {
    as: ada,
    method: "POST",
    body: JSON.stringify({ model: "tiny-embed", input: "a" }),
    signal: abort.signal,
  });
  expect(answer.status).toBe(499);
  await left.promise;
});
