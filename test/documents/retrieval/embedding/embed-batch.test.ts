import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseEnvironment } from "../../../../src/compose/parse-environment.ts";
import { embedBatch, type BatchOptions } from "../../../../src/documents/retrieval/embedding/embed-batch.ts";
import { EmbeddingFailure } from "../../../../src/documents/retrieval/embedding/embedding-failure.ts";
import { toFloats } from "../../../../src/documents/retrieval/embedding/vector.ts";
import type { ResolvedModel } from "../../../../src/models/catalog/find-model.ts";
import { guideConnection } from "../../../../src/models/drivers/function-model/driver.ts";
import { openAiCompatible } from "../../../../src/models/drivers/openai-compatible.ts";
import { indexFunctions } from "../../../../src/plugins/function-index.ts";
import { answering, deadOrigin, hanging, type Behaviour } from "../../../models/provider.ts";
import { listOf, refusing, startEmbeddings, vectorOf, type EmbeddingProvider } from "./embedding-provider.ts";

const key = "sk-harbour-secret-key-1234567890";
let provider: EmbeddingProvider;
beforeAll(async () => {
  provider = await startEmbeddings();
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.always(undefined);
  provider.asked.length = 0;
  provider.embedded.length = 0;
  provider.dimension = 8;
});

/** Each call is an isolate of its own, that has learned nothing yet. */
function createCall(origin = provider.origin) {
  const outbound = { trusted: fetch, guarded: fetch };
  const ctx = { outbound, environment: parseEnvironment({}) };
  const connection = { ...guideConnection, id: "harbour", baseUrl: `${origin}/v1`, key };
  const model: ResolvedModel = {
    id: "tiny-embed",
    name: "Tiny",
    kind: "openai",
    driver: openAiCompatible,
    connection,
    upstreamId: "tiny-embed",
    raw: {},
    alternatives: [],
    stored: undefined,
    params: {},
    secrets: [key],
    pipe: undefined,
    isDirect: false,
    functions: indexFunctions([]),
    metas: [],
    knowledge: [],
  };
  return (texts: readonly string[], options: Partial<BatchOptions> = {}) =>
    embedBatch(ctx, model, texts, {
      signal: new AbortController().signal,
      timeoutMs: 5000,
      tries: 3,
      maxWaitMs: 5000,
      ...options,
    });
}

const letters = (count: number) => Array.from({ length: count }, (_, at) => `text number ${at}`);
const unit = (text: string) => {
  const vector = vectorOf(text);
  const length = Math.hypot(...vector);
  return vector.map((number) => expect.closeTo(number / length, 5));
};

async function failureOf(work: Promise<unknown>): Promise<EmbeddingFailure> {
  const error: unknown = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(EmbeddingFailure);
  return error as EmbeddingFailure;
}

test("vectors come in the order of the texts and have length 1", async () => {
  provider.next((request, response) => {
    const entries = ["a", "b"].map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }));
    answering(200, JSON.stringify({ data: entries.toReversed() }))(request, response);
  });
  const vectors = await createCall()(["a", "b"]);
  expect(vectors.map((vector) => [...vector])).toEqual([unit("a"), unit("b")]);
  expect(provider.headers.at(-1)?.authorization).toBe(`Bearer ${key}`);
});

test.each<[string, () => string]>([
  ["base64", () => listOf([toFloats(Float32Array.from(vectorOf("a")))])],
  [
    "those of a local runtime",
    () => JSON.stringify({ model: "tiny", embeddings: [vectorOf("a")], prompt_eval_count: 3 }),
  ],
  ["a bare list", () => JSON.stringify([{ embedding: vectorOf("a") }])],
])("%s are vectors too", async (_, body) => {
  provider.next(answering(200, body()));
  const [vector] = await createCall()(["a"]);
  expect([...vector!]).toEqual(unit("a"));
});

describe("what passes is tried again", () => {
  const cut: Behaviour = (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"data": [{"index": 0, "embedding": [0.1');
    response.flushHeaders();
    setTimeout(() => response.destroy(), 20);
  };
  test.each<[string, Behaviour]>([
    ["500", refusing(500, "broken")],
    ["502 with a web page", answering(502, "<html><title>Bad gateway</title></html>", { "content-type": "text/html" })],
    ["429 that says how long", refusing(429, "slow down", { "retry-after": "0.05" })],
    ["429 that says it in milliseconds", refusing(429, "slow down", { "retry-after-ms": "40" })],
    ["a web page with 200", answering(200, "<!doctype html><title>Sign in</title>", { "content-type": "text/html" })],
    ["an empty answer", answering(200, "")],
    ["an error in a good answer", answering(200, '{"error": {"message": "overloaded", "type": "server_error"}}')],
    ["an answer that breaks off", cut],
    ["no JSON", answering(200, "OK")],
    ["null", answering(200, "null")],
    ["one vector too many", answering(200, listOf([vectorOf("a"), vectorOf("b")]))],
    ["null for a vector", answering(200, listOf([null]))],
    ["null in a vector", answering(200, listOf([[0.1, null, 0.2]]))],
    ["a text in a vector", answering(200, listOf([[0.1, "0.2"]]))],
    ["a nested vector", answering(200, listOf([[[0.1, 0.2]]]))],
    ["an infinite vector", answering(200, '{"data":[{"index":0,"embedding":[1e999]}]}')],
    ["a vector of zeros", answering(200, listOf([[0, 0, 0]]))],
    ["an empty vector", answering(200, listOf([[]]))],
    ["half a float", answering(200, listOf(["AAAA"]))],
    ["a number of no text", answering(200, '{"data":[{"index":7,"embedding":[1]}]}')],
  ])("%s", async (_, behaviour) => {
    provider.next(behaviour);
    const [vector] = await createCall()(["a"]);
    expect([...vector!]).toEqual(unit("a"));
    expect(provider.asked).toHaveLength(2);
  });

  test("as often as it was said, and then it is told what the provider did", async () => {
    provider.always(refusing(500, `no room for ${key}`));
    const failure = await failureOf(createCall()(["a"]));
    expect(failure).toMatchObject({ remedy: "again", retryAfter: undefined });
    expect(failure.message).toBe("The embedding model tiny-embed: no room for [redacted]");
    expect(provider.asked).toHaveLength(3);
  });
});

describe("a provider that has too much to do", () => {
  test("is left alone for as long as it says, by everybody here", async () => {
    provider.always(refusing(429, "slow down", { "retry-after": "120" }));
    const call = createCall();
    const failure = await failureOf(call(["a"]));
    expect(failure).toMatchObject({ remedy: "again", isBusy: true });
    expect(failure.retryAfter).toBeGreaterThan(118);
    expect((await failureOf(call(["b"]))).retryAfter).toBeGreaterThan(118);
    expect(provider.asked).toEqual([["a"]]);
  });

  test("is asked all the same by somebody who has no time to wait", async () => {
    provider.next(refusing(429, "slow down", { "retry-after": "120" }));
    const call = createCall();
    await failureOf(call(["a"]));
    await expect(call(["b"], { maxWaitMs: 0 })).resolves.toHaveLength(1);
  });

  test.each([
    ["a date", () => new Date(Date.now() + 240_000).toUTCString(), 180, 240],
    ["years", () => "99999999", 290, 300],
  ])("may say %s", async (_, value, least, most) => {
    provider.next(refusing(503, "later", { "retry-after": value() }));
    const { retryAfter } = await failureOf(createCall()(["a"]));
    expect(retryAfter).toBeGreaterThan(least);
    expect(retryAfter).toBeLessThanOrEqual(most);
  });
});

describe("what nobody but an administrator can mend is not tried again", () => {
  test.each<[string, Behaviour, RegExp]>([
    ["401", refusing(401, `Incorrect API key provided: ${key}`), /rejected this connection's credentials/],
    ["403", refusing(403, "no"), /rejected this connection's credentials/],
    ["404", refusing(404, "no such model"), /no such model/],
    ["402", refusing(402, "pay first"), /pay first/],
    ["a redirect", answering(302, "", { location: "https://elsewhere.example/v1/embeddings" }), /redirects/],
    ["400 for whatever it is", refusing(400, "does not support embeddings"), /does not support embeddings/],
  ])("%s", async (_, behaviour, words) => {
    provider.always(behaviour);
    const failure = await failureOf(createCall()(["a"]));
    expect(failure.remedy).toBe("none");
    expect(failure.message).toMatch(words);
    expect(failure.message).not.toContain(key);
    expect(provider.asked).toHaveLength(1);
  });
});

describe("what is too much at once", () => {
  const atMost =
    (most: number): Behaviour =>
    (request, response) => {
      const texts = provider.asked.at(-1)!;
      if (texts.length > most) return refusing(400, `at most ${most} inputs`)(request, response);
      provider.embedded.push(...texts);
      answering(200, listOf(texts.map((text) => vectorOf(text))))(request, response);
    };

  test("is sent in parts, each text once, and remembered", async () => {
    provider.always(atMost(10));
    const call = createCall();
    const texts = letters(64);
    const vectors = await call(texts);
    expect(vectors.map((vector) => [...vector])).toEqual(texts.map(unit));
    expect(provider.embedded).toEqual(texts);
    provider.asked.length = 0;
    await call(texts);
    expect(provider.asked.map((each) => each.length)).toEqual([8, 8, 8, 8, 8, 8, 8, 8]);
  });

  test("a provider that embeds one text of many at a time gets them one by one", async () => {
    provider.always((request, response) => {
      const [text = ""] = provider.asked.at(-1)!;
      answering(200, listOf([vectorOf(text)]))(request, response);
    });
    const vectors = await createCall()(letters(4));
    expect(vectors.map((vector) => [...vector])).toEqual(letters(4).map(unit));
  });

  test("one text that is too long is cut, the others are sent as they are", async () => {
    const long = "word ".repeat(1000);
    provider.always((request, response) => {
      const texts = provider.asked.at(-1)!;
      const isLong = texts.some((text) => text.length > 2000);
      if (isLong) return refusing(413, "maximum context length is 500 tokens")(request, response);
      provider.embedded.push(...texts);
      answering(200, listOf(texts.map((text) => vectorOf(text))))(request, response);
    });
    const call = createCall();
    const vectors = await call([...letters(5), long, "last"]);
    expect(vectors).toHaveLength(7);
    expect(provider.embedded.filter((text) => text.startsWith("word"))).toEqual([long.slice(0, 1250)]);
    expect(provider.embedded.filter((text) => !text.startsWith("word"))).toEqual([...letters(5), "last"]);
    provider.asked.length = 0;
    await call(letters(7));
    expect(
      provider.asked.map((each) => each.length),
      "it was the text, not their number",
    ).toEqual([7]);
  });

  test("a provider that does not answer in time is sent fewer the next time", async () => {
    provider.next(hanging);
    const call = createCall();
    const failure = await failureOf(call(letters(8), { timeoutMs: 50 }));
    expect(failure).toMatchObject({ remedy: "again", isLate: true });
    await call(letters(8));
    expect(provider.asked.map((each) => each.length)).toEqual([8, 4, 4]);
  });

  test("an answer that comes drop by drop ends in time", async () => {
    let dripping: ReturnType<typeof setInterval> | undefined;
    provider.next((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"data":[');
      dripping = setInterval(() => response.write(" "), 10);
    });
    const failure = await failureOf(createCall()(["a"], { timeoutMs: 120 }));
    clearInterval(dripping);
    expect(failure.isLate).toBe(true);
  });
});

test("nobody there is a passing failure in words", async () => {
  const failure = await failureOf(createCall(await deadOrigin())(["a"], { tries: 2 }));
  expect(failure.remedy).toBe("again");
  expect(failure.message).toMatch(/^The embedding model tiny-embed: .*(refused|reach)/);
});

test("a signal ends the call, and the wait before it", async () => {
  const reason = new Error("somebody else has it now");
  const first = new AbortController();
  const call = createCall();
  provider.next(() => first.abort(reason));
  await expect(call(["a"], { signal: first.signal })).rejects.toBe(reason);
  provider.next(refusing(429, "slow down", { "retry-after": "4" }));
  const second = new AbortController();
  const waiting = call(["b"], { signal: second.signal });
  await expect.poll(() => provider.asked.length).toBe(2);
  second.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(call(["c"], { signal: second.signal })).rejects.toBe(reason);
});
