import { describe, expect, it } from "vitest";
import { createManualTimers } from "./manual-timers.ts";
import { completion, error, events, failureOf, json } from "./reading.ts";
import { bodyOf, done, frame } from "./streams.ts";

const asked = [{ stream: true }, { stream: false }];

describe.each(asked)("an answer that is no answer (stream: $stream)", ({ stream: streaming }) => {
  const cases: [string, () => Response, number, Record<string, unknown>][] = [
    ["OpenAI's error", () => Response.json({ error }, { status: 400 }), 400, error],
    [
      "an error in a list",
      () => Response.json([{ error: { code: 400, message: "M", status: "INVALID_ARGUMENT" } }], { status: 400 }),
      400,
      { message: "M", type: "INVALID_ARGUMENT", code: "400" },
    ],
    [
      "an error as text",
      () => Response.json({ error: "model 'x' not found" }, { status: 404 }),
      404,
      { message: "model 'x' not found", type: "invalid_request_error" },
    ],
    [
      "an error as text beside a message",
      () => Response.json({ error: "Not Found", message: "no such path", status: 404 }, { status: 404 }),
      404,
      { message: "no such path" },
    ],
    ["a detail", () => Response.json({ detail: "D" }, { status: 422 }), 422, { message: "D" }],
    [
      "a list of details",
      () =>
        Response.json(
          {
            detail: [
              { loc: ["body", "x"], msg: "required" },
              { loc: ["y"], msg: "wrong" },
            ],
          },
          { status: 422 },
        ),
      422,
      { message: "body.x: required; y: wrong" },
    ],
    [
      "a detail with an object",
      () => Response.json({ detail: { message: "D" } }, { status: 400 }),
      400,
      { message: "D" },
    ],
    [
      "a message",
      () => Response.json({ message: "M" }, { status: 500 }),
      500,
      { message: "M", type: "upstream_error" },
    ],
    [
      "vLLM's older error",
      () =>
        Response.json(
          { object: "error", message: "M", type: "BadRequestError", param: null, code: 400 },
          { status: 400 },
        ),
      400,
      { message: "M", type: "BadRequestError", code: "400" },
    ],
    [
      "a message with a list inside",
      () => Response.json({ error: { message: [{ msg: "a" }, { msg: "b" }] } }, { status: 400 }),
      400,
      { message: "a; b" },
    ],
    ["plain text", () => new Response("no healthy upstream", { status: 503 }), 503, { message: "no healthy upstream" }],
    [
      "a web page",
      () => new Response("<html><head><title>504 Gateway\n Time-out</title></head></html>", { status: 504 }),
      504,
      { message: "The upstream answered with a web page (“504 Gateway Time-out”) instead of an answer." },
    ],
    ["no body", () => new Response(null, { status: 500 }), 500, { message: "The upstream returned status 500." }],
    ["an error inside an event", () => new Response(frame({ error }), { status: 400, headers: events }), 400, error],
    ["a broken body", () => new Response(bodyOf(['{"err'], new Error("ECONNRESET")).body, { status: 500 }), 500, {}],
    [
      "a redirect",
      () => new Response(null, { status: 301, headers: { location: "https://x" } }),
      502,
      { code: "upstream_redirect" },
    ],
    [
      "200 with an error",
      () => Response.json({ error: { message: "M", code: 429 } }),
      429,
      { message: "M", type: "rate_limit_error", code: "429" },
    ],
    [
      "200 with an error of a known type",
      () => Response.json({ error: { message: "M", type: "invalid_request_error" } }),
      400,
      { type: "invalid_request_error" },
    ],
    [
      "200 with an error of no kind",
      () => Response.json({ error: { message: "M" } }),
      502,
      { message: "M", type: "upstream_error" },
    ],
    [
      "200 with an error in a choice",
      () =>
        Response.json({
          ...completion,
          choices: [{ index: 0, message: { content: "" }, error: { code: 502, message: "M" } }],
        }),
      502,
      { message: "M", code: "502" },
    ],
    ["200 with null", () => Response.json(null), 502, { code: "upstream_empty_answer" }],
    ["200 with a number", () => Response.json(7), 502, { code: "upstream_invalid_answer" }],
    ["200 with nothing", () => new Response("", { headers: json }), 502, { code: "upstream_empty_answer" }],
    ["200 without a body", () => new Response(null), 502, { code: "upstream_empty_answer" }],
    ["204", () => new Response(null, { status: 204 }), 502, { code: "upstream_empty_answer" }],
    [
      "200 with no choices",
      () => Response.json({ ...completion, choices: [] }),
      502,
      { code: "upstream_empty_answer" },
    ],
    ["200 with another document", () => Response.json({ data: [] }), 502, { code: "upstream_empty_answer" }],
    [
      "200 with a web page",
      () => new Response("<!doctype html><title>Sign in</title>", { headers: events }),
      502,
      { code: "upstream_invalid_answer" },
    ],
    [
      "200 with text",
      () => new Response("model is loading", { headers: json }),
      502,
      { code: "upstream_invalid_answer" },
    ],
    [
      "200 with half a document",
      () => new Response('{"id":"x","choices":[', { headers: json }),
      502,
      { code: "upstream_invalid_answer" },
    ],
    ["an empty stream", () => new Response("", { headers: events }), 502, { code: "upstream_empty_answer" }],
    [
      "a stream of comments",
      () => new Response(": hi\n\n", { headers: events }),
      502,
      { code: "upstream_empty_answer" },
    ],
    [
      "a stream of [DONE]",
      () => new Response(frame(done), { headers: events }),
      502,
      { code: "upstream_empty_answer" },
    ],
    [
      "a stream that begins with an error",
      () => new Response(frame({ error: { ...error, code: 503 } }) + frame(done), { headers: events }),
      503,
      { message: "M", code: "503" },
    ],
    [
      "a connection that breaks before the first event",
      () => new Response(bodyOf([": hi\n\n"], new Error("ECONNRESET")).body, { headers: events }),
      502,
      { code: "upstream_disconnected" },
    ],
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
    const failed = await failureOf(
      Response.json({ error: { message: "bad key", code: "invalid_api_key" } }, { status }),
      { stream: streaming },
    );
    expect(failed.status).toBe(502);
    expect(failed.body).toMatchObject({ code, upstream_status: status, upstream_code: "invalid_api_key" });
    expect(failed.body.message).toContain("bad key");
  });

  it("keeps further fields of an error, without secrets, and the time to wait", async () => {
    const body = { error: { message: "M of top-secret-key", metadata: { raw: "top-secret-key", provider: "X" } } };
    const headers = {
      "retry-after": "7",
      "x-ratelimit-remaining-requests": "0",
      "set-cookie": "a=b",
      "x-request-id": "r1",
    };
    const { failure, body: sent } = await failureOf(Response.json(body, { status: 429, headers }), {
      stream: streaming,
      secrets: ["top-secret-key"],
    });
    expect(sent).toMatchObject({ message: "M of [redacted]", metadata: { raw: "[redacted]", provider: "X" } });
    expect(failure.retryAfter).toBe("7");
    expect(Object.fromEntries(failure.headers)).toEqual({
      "retry-after": "7",
      "x-ratelimit-remaining-requests": "0",
      "x-upstream-request-id": "r1",
    });
  });

  it("gives up on the body of an error that never ends, not on its status", async () => {
    const timers = createManualTimers();
    const failed = failureOf(new Response(bodyOf(['{"error"'], "hang").body, { status: 500 }), {
      stream: streaming,
      timers,
      peekMs: 1e9,
    });
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
    const { body, state } = bodyOf(
      Array.from({ length: 100 }, (_, at) => (at === 0 ? '{"a":"' : "x".repeat(1000))),
      "hang",
    );
    const failed = await failureOf(new Response(body, { headers: json }), {
      stream: streaming,
      maxAnswerBytes: 10_000,
    });
    expect(failed.body.code).toBe("upstream_answer_too_large");
    expect(state.pulled).toBeLessThan(20);
    expect(state.isCancelled).toBe(true);
  });

  it("of an upstream that hangs before its answer ends in a timeout and lets it go", async () => {
    const timers = createManualTimers();
    const reasons: unknown[] = [];
    const failed = failureOf(new Promise(() => undefined), {
      stream: streaming,
      timers,
      idleTimeoutMs: 1000,
      onCancel: (reason) => reasons.push(reason),
    });
    timers.advance(1000);
    expect(await failed).toMatchObject({ status: 504, body: { code: "upstream_timeout" } });
    expect(reasons).toHaveLength(1);
  });
});
