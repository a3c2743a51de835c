import { describe, expect, it } from "vitest";
import { type ReadAnswerOptions, readUpstreamAnswer } from "../../../src/chat/completions/read-upstream-answer.ts";
import { UpstreamError } from "../../../src/chat/completions/upstream-error.ts";
import { createManualTimers } from "./manual-timers.ts";
import { checkStream } from "./stream-grammar.ts";
import { bodyOf, chunk, done, frame, readAll, say, start, stop, stream } from "./streams.ts";

const events = { "content-type": "text/event-stream" };
const json = { "content-type": "application/json" };
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_762_000_000,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage,
};
const error = { message: "M", type: "T", param: "P", code: "C" };

const read = (response: Response | Promise<Response>, options: Partial<ReadAnswerOptions> = {}) =>
  readUpstreamAnswer(response, { stream: false, model: "asked", now: () => 7, newId: () => "new", ...options });

async function readStream(response: Response | Promise<Response>, options: Partial<ReadAnswerOptions> = {}) {
  const answer = await read(response, { ...options, stream: true });
  if (answer.kind !== "stream") throw new Error("a stream was asked for");
  const bytes = await readAll(answer.body);
  const checked = checkStream(bytes, { usage: options.includeUsage ?? false });
  return { ...checked, text: new TextDecoder().decode(bytes), reply: await answer.finished, headers: answer.headers };
}

async function readDocument(response: Response | Promise<Response>, options: Partial<ReadAnswerOptions> = {}) {
  const answer = await read(response, options);
  if (answer.kind !== "json") throw new Error("a document was asked for");
  return answer;
}

/** The failure of reading, with what the caller gets for it. */
async function failureOf(response: Response | Promise<Response>, options: Partial<ReadAnswerOptions> = {}) {
  const failure: unknown = await read(response, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(failure instanceof UpstreamError)) throw new Error("an UpstreamError was expected");
  return { failure, status: failure.status, body: failure.toOpenAiError().error };
}

const asked = [{ stream: true }, { stream: false }];

describe.each(asked)("an answer that is no answer (stream: $stream)", ({ stream: streaming }) => {
  const cases: [string, () => Response, number, Record<string, unknown>][] = [
    ["OpenAI's error", () => Response.json({ error }, { status: 400 }), 400, error],
    ["an error in a list", () => Response.json([{ error: { code: 400, message: "M", status: "INVALID_ARGUMENT" } }], { status: 400 }), 400, { message: "M", type: "INVALID_ARGUMENT", code: "400" }],
    ["an error as text", () => Response.json({ error: "model 'x' not found" }, { status: 404 }), 404, { message: "model 'x' not found", type: "invalid_request_error" }],
    ["an error as text beside a message", () => Response.json({ error: "Not Found", message: "no such path", status: 404 }, { status: 404 }), 404, { message: "no such path" }],
    ["a detail", () => Response.json({ detail: "D" }, { status: 422 }), 422, { message: "D" }],
    ["a list of details", () => Response.json({ detail: [{ loc: ["body", "x"], msg: "required" }, { loc: ["y"], msg: "wrong" }] }, { status: 422 }), 422, { message: "body.x: required; y: wrong" }],
    ["a detail with an object", () => Response.json({ detail: { message: "D" } }, { status: 400 }), 400, { message: "D" }],
    ["a message", () => Response.json({ message: "M" }, { status: 500 }), 500, { message: "M", type: "upstream_error" }],
    ["vLLM's older error", () => Response.json({ object: "error", message: "M", type: "BadRequestError", param: null, code: 400 }, { status: 400 }), 400, { message: "M", type: "BadRequestError", code: "400" }],
    ["a message with a list inside", () => Response.json({ error: { message: [{ msg: "a" }, { msg: "b" }] } }, { status: 400 }), 400, { message: "a; b" }],
    ["plain text", () => new Response("no healthy upstream", { status: 503 }), 503, { message: "no healthy upstream" }],
    ["a web page", () => new Response("<html><head><title>504 Gateway\n Time-out</title></head></html>", { status: 504 }), 504, { message: "The upstream answered with a web page (“504 Gateway Time-out”) instead of an answer." }],
    ["no body", () => new Response(null, { status: 500 }), 500, { message: "The upstream answered with status 500." }],
    ["an error inside an event", () => new Response(frame({ error }), { status: 400, headers: events }), 400, error],
    ["a broken body", () => new Response(bodyOf(['{"err'], new Error("ECONNRESET")).body, { status: 500 }), 500, {}],
    ["a redirect", () => new Response(null, { status: 301, headers: { location: "https://x" } }), 502, { code: "upstream_redirect" }],
    ["200 with an error", () => Response.json({ error: { message: "M", code: 429 } }), 429, { message: "M", type: "rate_limit_error", code: "429" }],
    ["200 with an error of a known type", () => Response.json({ error: { message: "M", type: "invalid_request_error" } }), 400, { type: "invalid_request_error" }],
    ["200 with an error of no kind", () => Response.json({ error: { message: "M" } }), 502, { message: "M", type: "upstream_error" }],
    ["200 with an error in a choice", () => Response.json({ ...completion, choices: [{ index: 0, message: { content: "" }, error: { code: 502, message: "M" } }] }), 502, { message: "M", code: "502" }],
    ["200 with null", () => Response.json(null), 502, { code: "upstream_empty_answer" }],
    ["200 with a number", () => Response.json(7), 502, { code: "upstream_invalid_answer" }],
    ["200 with nothing", () => new Response("", { headers: json }), 502, { code: "upstream_empty_answer" }],
    ["200 without a body", () => new Response(null), 502, { code: "upstream_empty_answer" }],
    ["204", () => new Response(null, { status: 204 }), 502, { code: "upstream_empty_answer" }],
    ["200 with no choices", () => Response.json({ ...completion, choices: [] }), 502, { code: "upstream_empty_answer" }],
    ["200 with another document", () => Response.json({ data: [] }), 502, { code: "upstream_empty_answer" }],
    ["200 with a web page", () => new Response("<!doctype html><title>Sign in</title>", { headers: events }), 502, { code: "upstream_invalid_answer" }],
    ["200 with text", () => new Response("model is loading", { headers: json }), 502, { code: "upstream_invalid_answer" }],
    ["200 with half a document", () => new Response('{"id":"x","choices":[', { headers: json }), 502, { code: "upstream_invalid_answer" }],
    ["an empty stream", () => new Response("", { headers: events }), 502, { code: "upstream_empty_answer" }],
    ["a stream of comments", () => new Response(": hi\n\n", { headers: events }), 502, { code: "upstream_empty_answer" }],
    ["a stream of [DONE]", () => new Response(frame(done), { headers: events }), 502, { code: "upstream_empty_answer" }],
    ["a stream that begins with an error", () => new Response(frame({ error: { ...error, code: 503 } }) + frame(done), { headers: events }), 503, { message: "M", code: "503" }],
    ["a connection that breaks before the first event", () => new Response(bodyOf([": hi\n\n"], new Error("ECONNRESET")).body, { headers: events }), 502, { code: "upstream_disconnected" }],
  ];

  it.each(cases)("of %s becomes a status and an error in the dialect", async (_name, make, status, expected) => {
    const failed = await failureOf(make(), { stream: streaming });
    expect(failed.status).toBe(status);
    expect(failed.body).toMatchObject(expected);
    expect(failed.body.message).toEqual(expect.any(String));
    expect(failed.body.message.length).toBeGreaterThan(0);
    expect(failed.body).toHaveProperty("param");
    expect(failed.body).toHaveProperty("code");
  });

  it.each([
    [401, "upstream_unauthorized"],
    [403, "upstream_forbidden"],
    [407, "upstream_unauthorized"],
  ])("of %i does not look like the caller's own lost session", async (status, code) => {
    const failed = await failureOf(Response.json({ error: { message: "bad key", code: "invalid_api_key" } }, { status }), { stream: streaming });
    expect(failed.status).toBe(502);
    expect(failed.body).toMatchObject({ code, upstream_status: status, upstream_code: "invalid_api_key" });
    expect(failed.body.message).toContain("bad key");
  });

  it("keeps further fields of an error, without secrets, and the time to wait", async () => {
    const body = { error: { message: "M of top-secret-key", metadata: { raw: "top-secret-key", provider: "X" } } };
    const headers = { "retry-after": "7", "x-ratelimit-remaining-requests": "0", "set-cookie": "a=b", "x-request-id": "r1" };
    const { failure, body: sent } = await failureOf(Response.json(body, { status: 429, headers }), { stream: streaming, secrets: ["top-secret-key"] });
    expect(sent).toMatchObject({ message: "M of [redacted]", metadata: { raw: "[redacted]", provider: "X" } });
    expect(failure.retryAfter).toBe("7");
    expect(Object.fromEntries(failure.headers)).toEqual({ "retry-after": "7", "x-ratelimit-remaining-requests": "0", "x-upstream-request-id": "r1" });
  });

  it("gives up on the body of an error that never ends, not on its status", async () => {
    const timers = createManualTimers();
    const failed = failureOf(new Response(bodyOf(['{"error"'], "hang").body, { status: 500 }), { stream: streaming, timers, peekMs: 1e9 });
    await new Promise((resolve) => setImmediate(resolve));
    timers.advance(5_000);
    expect((await failed).status).toBe(500);
  });

  it("of a fetch that failed is told without its addresses", async () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:8000"), { code: "ECONNREFUSED" });
    const failed = await failureOf(Promise.reject(new TypeError("fetch failed", { cause })), { stream: streaming });
    expect(failed).toMatchObject({ status: 502, body: { code: "upstream_unreachable" } });
    expect(JSON.stringify(failed.body)).not.toContain("10.0.0.7");
  });

  it("of a document that is too long is refused without reading all of it", async () => {
    const { body, state } = bodyOf(Array.from({ length: 100 }, (_, at) => (at === 0 ? '{"a":"' : "x".repeat(1000))), "hang");
    const failed = await failureOf(new Response(body, { headers: json }), { stream: streaming, maxAnswerBytes: 10_000 });
    expect(failed.body.code).toBe("upstream_answer_too_large");
    expect(state.pulled).toBeLessThan(20);
    expect(state.isCancelled).toBe(true);
  });

  it("of an upstream that hangs before its answer ends in a timeout and lets it go", async () => {
    const timers = createManualTimers();
    const reasons: unknown[] = [];
    const failed = failureOf(new Promise(() => undefined), { stream: streaming, timers, idleTimeoutMs: 1000, onCancel: (reason) => reasons.push(reason) });
    timers.advance(1000);
    expect(await failed).toMatchObject({ status: 504, body: { code: "upstream_timeout" } });
    expect(reasons).toHaveLength(1);
  });
});

describe("an answer in the wrong wrapping", () => {
  it("of a document becomes a stream, usage if asked for", async () => {
    const { content, finish, usage: sent, reply } = await readStream(Response.json(completion), { includeUsage: true });
    expect([content.get(0), finish.get(0)]).toEqual(["Hello", "stop"]);
    expect(sent).toEqual(usage);
    expect(reply).toMatchObject({ content: "Hello", usage });
    expect((await readStream(Response.json(completion))).usage).toBeUndefined();
  });

  it("of a document with reasoning, calls, several choices and more becomes a stream that says the same", async () => {
    const calls = [
      { id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } },
      { id: "c2", type: "function", function: { name: "g", arguments: "{}" } },
    ];
    const rich = {
      ...completion,
      citations: ["https://a"],
      choices: [
        { index: 0, message: { role: "assistant", content: null, reasoning_content: "hm", tool_calls: calls }, logprobs: { content: [] }, finish_reason: "tool_calls" },
        { index: 1, message: { role: "assistant", content: "b", refusal: null, annotations: [{ type: "x" }] }, finish_reason: "length" },
      ],
    };
    const { chunks, content, finish, reply } = await readStream(Response.json(rich));
    expect(chunks[0]).toMatchObject({ citations: ["https://a"], choices: [{ delta: { role: "assistant", reasoning_content: "hm" } }] });
    expect(chunks[1]).toMatchObject({ choices: [{ delta: { tool_calls: [{ index: 0, id: "c1" }, { index: 1, id: "c2" }] } }] });
    expect([...finish]).toEqual([[0, "tool_calls"], [1, "length"]]);
    expect(content.get(1)).toBe("b");
    expect(reply).toMatchObject({ reasoning: "hm", toolCalls: calls, extra: { citations: ["https://a"] } });
  });

  it("of a stream becomes a document with everything in it", async () => {
    const body = stream(
      { ...chunk({ role: "assistant", reasoning_content: "h" }), system_fingerprint: "fp" },
      chunk({ reasoning_content: "m", annotations: [{ a: 1 }] }),
      chunk({ content: "Hel", annotations: [{ a: 2 }] }),
      chunk({ content: "lo", audio: { id: "x", data: "AA" } }),
      chunk({ audio: { data: "BB" } }),
      stop,
      { id: "chatcmpl-1", choices: [], usage },
      done,
    );
    const { value, reply } = await readDocument(new Response(body, { headers: events }));
    expect(value).toEqual({
      ...completion,
      system_fingerprint: "fp",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hello", reasoning_content: "hm", annotations: [{ a: 1 }, { a: 2 }], audio: { id: "x", data: "AABB" } },
          finish_reason: "stop",
        },
      ],
    });
    expect(reply).toMatchObject({ content: "Hello", reasoning: "hm" });
  });

  it("of a stream that stops in the middle is an error, not half a document", async () => {
    const failed = await failureOf(new Response(stream(start, say("Hel")), { headers: events }));
    expect(failed).toMatchObject({ status: 502, body: { code: "upstream_incomplete_answer" } });
  });

  it("of a stream that is too long for a document is an error", async () => {
    const body = stream(start, ...Array.from({ length: 50 }, () => say("x".repeat(1000))), stop, done);
    const failed = await failureOf(new Response(body, { headers: events }), { maxAnswerBytes: 10_000 });
    expect(failed.body.code).toBe("upstream_answer_too_large");
  });

  it.each([["application/json"], ["text/plain"], ["application/octet-stream"], [undefined], ["text/html"]])("of events called %s is a stream", async (type) => {
    const response = new Response(new TextEncoder().encode(stream(start, say("Hello"), stop, done)), { headers: type ? { "content-type": type } : {} });
    expect((await readStream(response)).content.get(0)).toBe("Hello");
  });

  it.each([["text/event-stream"], ["text/plain"], [undefined]])("of a document called %s is a document", async (type) => {
    const response = new Response(new TextEncoder().encode(JSON.stringify(completion)), { headers: type ? { "content-type": type } : {} });
    expect((await readDocument(response)).reply.content).toBe("Hello");
  });

  it.each(asked)("of JSON lines is read as a stream (stream: $stream)", async ({ stream: streaming }) => {
    const lines = [start, say("Hello"), stop].map((one) => JSON.stringify(one)).join("\n");
    const make = (type: string) => new Response(lines, { headers: { "content-type": type } });
    for (const type of ["application/x-ndjson", "application/json"]) {
      if (streaming) expect((await readStream(make(type))).content.get(0)).toBe("Hello");
      else expect((await readDocument(make(type))).reply.content).toBe("Hello");
    }
  });

  it("of events that come in pieces of one byte is told apart all the same", async () => {
    const text = stream(start, say("Hello"), stop, done);
    const { body } = bodyOf([...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte)));
    expect((await readStream(new Response(body))).content.get(0)).toBe("Hello");
  });
});

describe("a document", () => {
  it("that is right goes on in its own bytes", async () => {
    const own = `\n ${JSON.stringify(completion, null, 3)}\n`.replace('"Hello"', '"Hell\\u006f"');
    const { body, value } = await readDocument(new Response(own, { headers: json }));
    expect(body).toBe(own);
    expect(value).toEqual(completion);
  });

  it.each<[string, Record<string, unknown>]>([
    ["no id, object, time or model", { choices: completion.choices }],
    ["no index", { ...completion, choices: [{ message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }] }],
    ["no role", { ...completion, choices: [{ index: 0, message: { content: "Hello" }, finish_reason: "stop" }] }],
    ["no finish reason", { ...completion, choices: [{ index: 0, message: { role: "assistant", content: "Hello" } }] }],
    ["a finish reason of null", { ...completion, choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: null }] }],
    ["a text for a message", { ...completion, choices: [{ index: 0, text: "Hello", finish_reason: "stop" }] }],
    ["a delta for a message", { ...completion, object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "Hello" }, finish_reason: "stop" }] }],
    ["a list around it", [completion] as unknown as Record<string, unknown>],
  ])("with %s is completed", async (_name, given) => {
    const { value, body, reply } = await readDocument(Response.json(given));
    expect(value).toMatchObject({
      id: expect.stringMatching(/./),
      object: "chat.completion",
      created: expect.any(Number),
      model: expect.stringMatching(/./),
      choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
    });
    expect(JSON.parse(body)).toEqual(value);
    expect(reply.content).toBe("Hello");
  });

  it("with calls and neither content nor reason gets null and tool_calls", async () => {
    const message = { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }] };
    const { value } = await readDocument(Response.json({ ...completion, choices: [{ index: 0, message }] }));
    expect(value["choices"]).toMatchObject([{ message: { content: null }, finish_reason: "tool_calls" }]);
  });

  it("with `error: null` beside its choices is no error", async () => {
    expect((await readDocument(Response.json({ ...completion, error: null }))).reply.content).toBe("Hello");
  });
});

describe("the status line of a stream", () => {
  it("waits for the first event, so that an early error has a status; not longer than it may", async () => {
    const timers = createManualTimers();
    const { body } = bodyOf([": wait\n\n"], "hang");
    const waiting = read(new Response(body, { headers: events }), { stream: true, timers });
    let answered = false;
    void waiting.then(() => {
      answered = true;
    });
    timers.advance(9_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    timers.advance(1);
    expect((await waiting).kind).toBe("stream");
  });

  it("once promised, a failure comes as an event: also a bad status of a slow upstream", async () => {
    const timers = createManualTimers();
    const answering = Promise.withResolvers<Response>();
    const waiting = read(answering.promise, { stream: true, timers });
    timers.advance(10_000);
    const answer = await waiting;
    if (answer.kind !== "stream") throw new Error("a stream was asked for");
    answering.resolve(Response.json({ error }, { status: 400 }));
    const checked = checkStream(await readAll(answer.body), { usage: false });
    expect(checked.error).toMatchObject({ ...error, status: 400 });
    expect((await answer.finished).error).toMatchObject(error);
  });
});

describe("headers of the upstream", () => {
  it("reach the caller only if they are on the list", async () => {
    const headers = {
      ...events,
      "content-encoding": "gzip",
      "content-length": "5",
      "transfer-encoding": "chunked",
      connection: "keep-alive",
      "set-cookie": "a=b",
      "openai-organization": "org-secret",
      "x-request-id": "req_1",
      "x-ratelimit-limit-tokens": "9",
      "anthropic-ratelimit-requests-remaining": "8",
      "openai-processing-ms": "7",
    };
    const { headers: sent } = await readStream(new Response(stream(start, stop, done), { headers }));
    expect(Object.fromEntries(sent)).toEqual({
      "x-upstream-request-id": "req_1",
      "x-ratelimit-limit-tokens": "9",
      "anthropic-ratelimit-requests-remaining": "8",
      "openai-processing-ms": "7",
    });
  });
});
