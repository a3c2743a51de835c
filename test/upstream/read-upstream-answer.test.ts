import { describe, expect, it } from "vitest";
import { checkStream } from "../grammar/chat-completions.ts";
import { createManualTimers } from "./manual-timers.ts";
import { completion, error, events, failureOf, json, read, readDocument, readStream, usage } from "./reading.ts";
import { bodyOf, chunk, done, readAll, say, start, stop, stream } from "./streams.ts";

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
        {
          index: 0,
          message: { role: "assistant", content: null, reasoning_content: "hm", tool_calls: calls },
          logprobs: { content: [] },
          finish_reason: "tool_calls",
        },
        {
          index: 1,
          message: { role: "assistant", content: "b", refusal: null, annotations: [{ type: "x" }] },
          finish_reason: "length",
        },
      ],
    };
    const { chunks, content, finish, reply } = await readStream(Response.json(rich));
    expect(chunks[0]).toMatchObject({
      citations: ["https://a"],
      choices: [{ delta: { role: "assistant", reasoning_content: "hm" } }],
    });
    expect(chunks[1]).toMatchObject({
      choices: [
        {
          delta: {
            tool_calls: [
              { index: 0, id: "c1" },
              { index: 1, id: "c2" },
            ],
          },
        },
      ],
    });
    expect([...finish]).toEqual([
      [0, "tool_calls"],
      [1, "length"],
    ]);
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
          message: {
            role: "assistant",
            content: "Hello",
            reasoning_content: "hm",
            annotations: [{ a: 1 }, { a: 2 }],
            audio: { id: "x", data: "AABB" },
          },
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

  it.each([["application/json"], ["text/plain"], ["application/octet-stream"], [undefined], ["text/html"]])(
    "of events called %s is a stream",
    async (type) => {
      const response = new Response(new TextEncoder().encode(stream(start, say("Hello"), stop, done)), {
        headers: type ? { "content-type": type } : {},
      });
      expect((await readStream(response)).content.get(0)).toBe("Hello");
    },
  );

  it.each([["text/event-stream"], ["text/plain"], [undefined]])(
    "of a document called %s is a document",
    async (type) => {
      const response = new Response(new TextEncoder().encode(JSON.stringify(completion)), {
        headers: type ? { "content-type": type } : {},
      });
      expect((await readDocument(response)).reply.content).toBe("Hello");
    },
  );

  it("of JSON lines is read as a stream", async () => {
    const lines = [start, say("Hello"), stop].map((one) => JSON.stringify(one)).join("\n");
    const make = (type: string) => new Response(lines, { headers: { "content-type": type } });
    for (const type of ["application/x-ndjson", "application/json"]) {
      expect((await readStream(make(type))).content.get(0)).toBe("Hello");
      expect((await readDocument(make(type))).reply.content).toBe("Hello");
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
    [
      "no index",
      { ...completion, choices: [{ message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }] },
    ],
    ["no role", { ...completion, choices: [{ index: 0, message: { content: "Hello" }, finish_reason: "stop" }] }],
    ["no finish reason", { ...completion, choices: [{ index: 0, message: { role: "assistant", content: "Hello" } }] }],
    [
      "a finish reason of null",
      { ...completion, choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: null }] },
    ],
    ["a text for a message", { ...completion, choices: [{ index: 0, text: "Hello", finish_reason: "stop" }] }],
    [
      "a delta for a message",
      {
        ...completion,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta: { content: "Hello" }, finish_reason: "stop" }],
      },
    ],
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
    const message = {
      role: "assistant",
      tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
    };
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
    if (answer.kind !== "stream") throw new Error("expected a stream");
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
