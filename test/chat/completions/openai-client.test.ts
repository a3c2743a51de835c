import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { providers } from "../../fixtures/upstreams/providers.ts";
import { type ReplayServer, startReplayServer } from "../../fixtures/upstreams/replay-server.ts";
import { startAnsweringServer } from "../../upstream/answering-server.ts";

const key = "connection-key-1234";
let upstream: ReplayServer;
let service: Awaited<ReturnType<typeof startAnsweringServer>>;
let client: OpenAI;

beforeAll(async () => {
  upstream = await startReplayServer();
  service = await startAnsweringServer(upstream.url, key);
  client = new OpenAI({ baseURL: service.url, apiKey: "callers-own", maxRetries: 0 });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

const messages = [{ role: "user" as const, content: "What is the capital of France?" }];

/** Reads a stream to its end or its error. */
async function readChunks(model: string) {
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  let error: unknown;
  try {
    const stream = await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream) chunks.push(chunk);
  } catch (reason) {
    error = reason;
  }
  const text = chunks.map((chunk) => chunk.choices.find((choice) => choice.index === 0)?.delta.content ?? "").join("");
  return { chunks, text, error };
}

describe("the openai client", () => {
  const readable = Object.entries(providers);

  it.each(readable)("reads the stream of %s", async (model, said) => {
    const { chunks, text, error } = await readChunks(model);
    expect(error).toBeUndefined();
    expect(text).toBe(said.content);
    expect(chunks.at(-1)?.usage?.total_tokens ?? null).toBe(said.streamTokens);
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
  });

  it.each(readable)("reads the document of %s", async (model, said) => {
    const answer = await client.chat.completions.create({ model, messages });
    expect(answer.choices[0]?.message.content ?? "").toBe(said.content);
    expect(answer.choices[0]?.finish_reason).toBe(said.finishReason);
    const calls = answer.choices[0]?.message.tool_calls ?? [];
    expect(calls.map((call) => (call.type === "function" ? call.function.name : ""))).toEqual(said.toolNames);
  });

  it.each(["openai", "openai-tools", "openai-choices", "vllm", "ollama", "gemini", "openrouter"])(
    "puts the stream of %s together with its own helper",
    async (model) => {
      const final = await client.chat.completions.stream({ model, messages }).finalChatCompletion();
      expect(final.choices[0]?.message.content ?? "").toBe(providers[model]?.content);
      expect(final.choices[0]?.finish_reason).toBe(providers[model]?.finishReason);
    },
  );

  it.each([
    [
      "fault-400",
      OpenAI.BadRequestError,
      { status: 400, code: "unsupported_value", param: "temperature", type: "invalid_request_error" },
    ],
    ["fault-401", OpenAI.InternalServerError, { status: 502, code: "upstream_unauthorized" }],
    ["fault-403", OpenAI.InternalServerError, { status: 502, code: "upstream_forbidden" }],
    ["fault-404", OpenAI.NotFoundError, { status: 404, code: "model_not_found" }],
    ["fault-422", OpenAI.UnprocessableEntityError, { status: 422 }],
    ["fault-429", OpenAI.RateLimitError, { status: 429, code: "rate_limit_exceeded" }],
    ["fault-500", OpenAI.InternalServerError, { status: 500 }],
    ["fault-503", OpenAI.InternalServerError, { status: 503 }],
    ["fault-gemini", OpenAI.BadRequestError, { status: 400, type: "INVALID_ARGUMENT" }],
    ["fault-html", OpenAI.InternalServerError, { status: 502 }],
    ["fault-html-200", OpenAI.InternalServerError, { status: 502, code: "upstream_invalid_answer" }],
    ["fault-empty", OpenAI.InternalServerError, { status: 502, code: "upstream_empty_answer" }],
    ["fault-null", OpenAI.InternalServerError, { status: 502, code: "upstream_empty_answer" }],
    ["fault-text", OpenAI.InternalServerError, { status: 502, code: "upstream_invalid_answer" }],
    ["fault-error-200", OpenAI.RateLimitError, { status: 429, code: "429" }],
    ["fault-error-first", OpenAI.InternalServerError, { status: 503, type: "overloaded_error" }],
    ["fault-redirect", OpenAI.InternalServerError, { status: 502, code: "upstream_redirect" }],
    ["fault-refuse", OpenAI.InternalServerError, { status: 502, code: "upstream_disconnected" }],
    ["fault-gzip", OpenAI.InternalServerError, { status: 502, code: "upstream_invalid_answer" }],
    ["fault-endless-line", OpenAI.InternalServerError, { status: 502, code: "upstream_answer_too_large" }],
  ] as const)("throws a typed error for %s, streaming and not", async (model, type, fields) => {
    const plain: unknown = await client.chat.completions.create({ model, messages }).catch((error: unknown) => error);
    expect(plain).toBeInstanceOf(type);
    expect(plain).toMatchObject(fields);
    const { error } = await readChunks(model);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject(fields);
    expect(JSON.stringify([plain, error]) + String(plain)).not.toContain(key);
  });

  it.each([
    ["fault-stop", "upstream_incomplete_answer"],
    ["fault-cut", "upstream_disconnected"],
    ["fault-cut-event", "upstream_disconnected"],
    ["fault-error-middle", "502"],
    ["fault-error-event", "x"],
  ])("throws in the middle of the stream of %s, after what came", async (model, code) => {
    const { text, error } = await readChunks(model);
    expect(text).toBe("Hello");
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ code, param: null, type: expect.any(String) });
  });

  it.each(["fault-json-for-all", "fault-stream-for-all", "fault-wrong-type", "fault-no-type", "fault-no-done"])(
    "is not bothered by %s",
    async (model) => {
      expect(await readChunks(model)).toMatchObject({ text: "Hello", error: undefined });
      const answer = await client.chat.completions.create({ model, messages });
      expect(answer).toMatchObject({ choices: [{ message: { content: "Hello" } }] });
    },
  );

  it("gets the time to wait with a 429", async () => {
    const error: unknown = await client.chat.completions
      .create({ model: "fault-429", messages })
      .catch((reason: unknown) => reason);
    if (!(error instanceof OpenAI.APIError)) throw new Error("an APIError was expected");
    expect(error.headers?.get("retry-after")).toBe("7");
    expect(error.headers?.get("x-ratelimit-remaining-requests")).toBe("0");
  });

  it("passes parameters on that nobody here knows", async () => {
    const unknown = { top_k: 7, odd: { deep: [1] } };
    const answer = await client.chat.completions.create({ model: "echo", messages, ...unknown });
    const seen = JSON.parse(answer.choices[0]?.message.content ?? "") as {
      body: unknown;
      headers: Record<string, string>;
    };
    expect(seen.body).toMatchObject(unknown);
    expect(seen.headers["authorization"]).toBe(`Bearer ${key}`);
  });
});

describe("an abort by the client reaches the upstream", () => {
  it("in the middle of a stream", async () => {
    const request = upstream.nextRequest();
    const hold = upstream.holdAfter(3);
    const stream = await client.chat.completions.create({ model: "openai", messages, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    const seen = await request;
    await seen.over;
    expect(seen.aborted).toBe(true);
    hold.release();
  });

  it.each([true, false])("before the first byte (stream: %s)", async (streaming) => {
    const request = upstream.nextRequest();
    const abort = new AbortController();
    const pending = client.chat.completions.create(
      { model: "fault-hang", messages, stream: streaming },
      { signal: abort.signal },
    );
    const seen = await request;
    abort.abort();
    await expect(pending).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await seen.over;
    expect(seen.aborted).toBe(true);
  });

  it("after the headers and before the first event", async () => {
    const request = upstream.nextRequest();
    const abort = new AbortController();
    const pending = client.chat.completions.create(
      { model: "fault-hang-headers", messages, stream: true },
      { signal: abort.signal },
    );
    const seen = await request;
    abort.abort();
    await expect(pending).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await seen.over;
    expect(seen.aborted).toBe(true);
  });

  it("is not seen where the answer was read to its end", async () => {
    const request = upstream.nextRequest();
    await readChunks("openai");
    const seen = await request;
    await seen.over;
    expect(seen.aborted).toBe(false);
  });
});

describe("an upstream that hangs", () => {
  it("after its finish reasons ends the answer whole", async () => {
    const impatient = await startAnsweringServer(upstream.url, key, {
      timers: {
        set: (run, milliseconds) => setTimeout(run, milliseconds === 10_000 ? 5 : milliseconds),
        clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
        now: () => Date.now(),
      },
      peekMs: 9_000,
    });
    const other = new OpenAI({ baseURL: impatient.url, apiKey: "x", maxRetries: 0 });
    const final = await other.chat.completions.stream({ model: "fault-hang-finished", messages }).finalChatCompletion();
    expect(final.choices[0]).toMatchObject({ message: { content: "Hello" }, finish_reason: "stop" });
    await impatient.close();
  });

  it("in the middle ends in a timeout that the client can tell", async () => {
    const impatient = await startAnsweringServer(upstream.url, key, { idleTimeoutMs: 200 });
    const other = new OpenAI({ baseURL: impatient.url, apiKey: "x", maxRetries: 0 });
    const request = upstream.nextRequest();
    const read = async (): Promise<void> => {
      const stream = await other.chat.completions.create({ model: "fault-hang-middle", messages, stream: true });
      for await (const _chunk of stream);
    };
    await expect(read()).rejects.toMatchObject({ code: "upstream_timeout" });
    const seen = await request;
    await seen.over;
    expect(seen.aborted).toBe(true);
    await expect(other.chat.completions.create({ model: "fault-hang", messages })).rejects.toMatchObject({
      status: 504,
      code: "upstream_timeout",
    });
    await impatient.close();
  });
});
