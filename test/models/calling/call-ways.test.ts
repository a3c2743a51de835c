import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { readBounded } from "../../../src/http/read-bounded.ts";
import type { Reading } from "../../../src/models/calling/call-attempt.ts";
import { healthOf } from "../../../src/models/calling/connection-calls.ts";
import {
  breaks,
  createIsolate,
  failureOf,
  hangs,
  ok,
  refused,
  status,
  textOf,
  type Behaviour,
  until,
} from "./scripted-ways.ts";

describe("one connection", () => {
  test("is asked once where it answers", async () => {
    const { connect, call } = createIsolate();
    const one = connect([ok]);
    expect(await textOf(call([one.way]))).toBe("answer");
    expect(one.asked).toHaveLength(1);
    expect(one.health()).toMatchObject({ breaker: "closed", calls: 1, failed: 0, failures: [] });
  });

  test.each<[string, Behaviour]>([
    ["nothing listens", refused],
    ["a gateway says that nobody answered", status(502)],
    ["it asks for a moment", status(503, { "retry-after": "0" })],
    ["it asks for a moment because of too many requests", status(429, { "retry-after-ms": "10" })],
    ["the connection breaks after the status line", breaks],
  ])("is asked again where %s", async (_, behaviour) => {
    const { connect, call } = createIsolate();
    const one = connect([behaviour, ok]);
    expect(await textOf(call([one.way]))).toBe("answer");
    expect(one.asked).toHaveLength(2);
    expect(one.health()).toMatchObject({ breaker: "closed", calls: 2, failed: 1, failures: [{ model: "tide" }] });
  });

  test.each([
    [400, {}],
    [401, {}],
    [404, {}],
    [500, {}],
    [429, {}],
    [429, { "retry-after": "3600" }],
    [503, {}],
    [503, { "retry-after": "3600" }],
  ])("is not asked again after %i with %j, and its answer is whole", async (code, headers) => {
    const { connect, call } = createIsolate();
    const said = `{"error":{"message":"No, because of sk-secret-harbour","code":"no_${code}"}}`;
    const one = connect([status(code, { ...headers, "x-request-id": "7" }, said), ok]);
    const answer = await call([one.way]);
    expect(answer.status).toBe(code);
    expect(answer.headers.get("x-request-id")).toBe("7");
    expect(answer.headers.get("retry-after")).toBe((headers as Record<string, string>)["retry-after"] ?? null);
    expect(await answer.text()).toBe(said);
    expect(one.asked).toHaveLength(1);
    const [failure] = one.health().failures;
    expect(failure).toMatchObject({
      status: code,
      message: expect.stringContaining("No, because of [redacted]"),
      model: "tide",
    });
  });

  test("is asked only once where the call must not be made twice, or the policy says so", async () => {
    const { connect, call } = createIsolate();
    const one = connect([refused, ok]);
    expect(await failureOf(call([one.way], { idempotent: false }))).toMatchObject({ code: "upstream_unreachable" });
    const two = connect([refused, ok], { attempts: 1 });
    expect(await failureOf(call([two.way]))).toMatchObject({ status: 502, code: "upstream_unreachable" });
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
  });

  test("is asked as often as its policy says, and no more often", async () => {
    const { connect, call } = createIsolate();
    const one = connect([status(502, {}, "still down")], { attempts: 3, breaker_failures: 0 });
    const answer = await call([one.way]);
    expect([answer.status, await answer.text()]).toEqual([502, "still down"]);
    expect(one.asked).toHaveLength(3);
  });

  test("that stays silent is let go in time, and not asked again", async () => {
    const { connect, call } = createIsolate();
    const one = connect([hangs, ok], { first_byte_timeout: 0.05 });
    expect(await failureOf(call([one.way]))).toMatchObject({ status: 504, code: "upstream_timeout" });
    const two = connect([() => new Promise(() => undefined)], { first_byte_timeout: 0.05 });
    expect(await failureOf(call([two.way]))).toMatchObject({ status: 504, code: "upstream_timeout" });
    const three = connect([() => new Response(new ReadableStream())], { first_byte_timeout: 0.05 });
    expect(await failureOf(call([three.way]))).toMatchObject({ status: 504, code: "upstream_timeout" });
    expect(one.asked).toHaveLength(1);
    expect(one.health()).toMatchObject({
      in_flight: 0,
      failed: 1,
      failures: [{ code: "upstream_timeout", status: null }],
    });
  });

  test("passes on what is no failure of its provider, and notes nothing", async () => {
    const { connect, call } = createIsolate();
    const one = connect([() => Promise.reject(new AppError("bad_request", "no such thing"))]);
    await expect(call([one.way])).rejects.toMatchObject({ code: "bad_request" });
    expect(one.asked).toHaveLength(1);
    expect(one.health()).toMatchObject({ in_flight: 0, failed: 0 });
  });

  test("is let go when the caller goes: while it is asked, while it is waited for, while its body comes", async () => {
    const { connect, call } = createIsolate();
    const reason = new Error("gone");
    const one = connect([hangs]);
    const leaves = new AbortController();
    const asked = call([one.way], { signal: leaves.signal });
    await until(() => one.asked.length === 1);
    leaves.abort(reason);
    await expect(asked).rejects.toBe(reason);

    const two = connect([status(503, { "retry-after": "5" }), ok]);
    const waits = new AbortController();
    const waiting = call([two.way], { signal: waits.signal });
    await until(() => two.health().failed === 1);
    waits.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(two.asked).toHaveLength(1);

    let cancelled: unknown;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array([120])),
      cancel: (why) => void (cancelled = why),
    });
    const three = connect([() => new Response(endless)]);
    const { body } = await call([three.way]);
    expect(three.health().in_flight).toBe(1);
    await body!.cancel(reason);
    await until(() => three.health().in_flight === 0);
    expect(cancelled).toBeDefined();
    expect([one.health(), three.health()]).toMatchObject([
      { in_flight: 0, failed: 0 },
      { in_flight: 0, failed: 0 },
    ]);
  });

  test("is told of what its reader found out about an answer", async () => {
    const { connect, call } = createIsolate();
    const one = connect([ok]);
    const outcome = Promise.resolve({ message: "a web page instead of an answer", code: "upstream_invalid_answer" });
    const reading: Reading = { outcome };
    await call([one.way], { reading });
    // Its first bytes were read here; its reader gets them all the same.
    expect(await readBounded(reading.reader!, 100)).toEqual({ text: "answer", ended: true });
    await until(() => one.health().failed === 1);
    expect(one.health()).toMatchObject({
      breaker: "closed",
      failures: [{ message: "a web page instead of an answer", status: null }],
    });
  });

  test("whose body breaks in the middle is seen, by whoever reads it and by administrators", async () => {
    const { connect, call } = createIsolate();
    let pulls = 0;
    const cut = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pulls++ === 0) controller.enqueue(new TextEncoder().encode("half"));
        else controller.error(new Error("Network connection lost."));
      },
    });
    const one = connect([() => new Response(cut)]);
    const answer = await call([one.way]);
    await expect(answer.text()).rejects.toThrow();
    await until(() => one.health().failed === 1);
    expect(one.asked).toHaveLength(1);
    expect(one.health()).toMatchObject({ in_flight: 0, failures: [{ code: "upstream_disconnected" }] });
  });

  test("keeps the last ten failures, and its state ends with its address and its key", async () => {
    const { connect, call, ctx } = createIsolate();
    const one = connect([status(400, {}, '{"error":{"message":"no"}}')]);
    for (let at = 0; at < 12; at++) await call([one.way]);
    expect(one.health()).toMatchObject({ calls: 12, failed: 12 });
    expect(one.health().failures).toHaveLength(10);
    expect(healthOf(ctx, { ...one.connection, key: "another" })).toMatchObject({ calls: 0, failures: [] });
  });
});

describe("several connections", () => {
  test.each<[string, Behaviour]>([
    ["nothing listens at the first", refused],
    ["the first one's gateway fails", status(504)],
    ["the first has too many requests", status(429)],
    ["the first is too busy for long", status(503, { "retry-after": "3600" })],
    ["the first one's key is refused", status(401)],
    ["the first does not know the model any more", status(404)],
    ["the first breaks off after its status line", breaks],
    ["the first stays silent", hangs],
  ])("the second answers where %s", async (_, behaviour) => {
    const { connect, call } = createIsolate();
    const first = connect([behaviour], { first_byte_timeout: 0.05 });
    const second = connect([ok]);
    const third = connect([ok]);
    expect(await textOf(call([first.way, second.way, third.way]))).toBe("answer");
    expect([first, second, third].map(({ asked }) => asked.length)).toEqual([1, 1, 0]);
    expect(first.health().failed).toBe(1);
  });

  test.each([400, 403, 422, 500])("none is asked after %i: it would say the same, or did something", async (code) => {
    const { connect, call } = createIsolate();
    const first = connect([status(code)]);
    const second = connect([ok]);
    expect((await call([first.way, second.way])).status).toBe(code);
    expect(second.asked).toHaveLength(0);
  });

  test("are not asked where the first one's policy says so, or the call must not be made twice", async () => {
    const { connect, call } = createIsolate();
    const first = connect([refused], { fail_over: false, attempts: 1 });
    const second = connect([ok]);
    await failureOf(call([first.way, second.way]));
    const third = connect([refused]);
    await failureOf(call([third.way, second.way], { idempotent: false }));
    expect(second.asked).toHaveLength(0);
  });

  test("are asked in turns, and what the first said is what the caller hears", async () => {
    const { connect, call } = createIsolate();
    const first = connect([status(502, {}, "first")], { attempts: 2 });
    const second = connect([status(504, {}, "second")], { attempts: 1 });
    const answer = await call([first.way, second.way]);
    expect([answer.status, await answer.text()]).toEqual([502, "first"]);
    expect([first.asked.length, second.asked.length]).toEqual([2, 1]);
    // The second need not wait for the first one's next turn.
    expect(second.asked[0]!).toBeLessThanOrEqual(first.asked[1]!);
  });
});

describe("the breaker", () => {
  const policy = { attempts: 1, breaker_failures: 3, breaker_seconds: 60 };
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());
  const rest = () => vi.setSystemTime(Date.now() + 60_000);

  test("opens after failures in a row, closes after a call that was tried well", async () => {
    const { connect, call } = createIsolate();
    const one = connect([refused, refused, refused, ok], policy);
    for (let at = 0; at < 3; at++) await failureOf(call([one.way]));
    expect(one.health()).toMatchObject({ breaker: "open", failed: 3 });
    const left = await failureOf(call([one.way]));
    expect(left).toMatchObject({ status: 503, code: "upstream_left_alone", retryAfter: "60" });
    expect(left.message).toContain("refused the connection");
    expect(one.asked).toHaveLength(3);
    rest();
    expect(one.health().breaker).toBe("half_open");
    expect(await textOf(call([one.way]))).toBe("answer");
    expect(one.health()).toMatchObject({ breaker: "closed", open_until: null });
  });

  test("lets one call try, and opens again at once where that fails", async () => {
    const { connect, call } = createIsolate();
    const held = Promise.withResolvers<Response>();
    const one = connect([refused, refused, refused, () => held.promise], policy);
    for (let at = 0; at < 3; at++) await failureOf(call([one.way]));
    rest();
    expect(one.health().breaker).toBe("half_open");
    const trial = failureOf(call([one.way]));
    await until(() => one.asked.length === 4);
    expect(await failureOf(call([one.way]))).toMatchObject({ code: "upstream_left_alone" });
    held.reject(new Error("connect ECONNREFUSED"));
    await trial;
    expect(one.asked).toHaveLength(4);
    expect(one.health().breaker).toBe("open");
  });

  test("does not stay with a call that its caller gave up", async () => {
    const { connect, call } = createIsolate();
    const one = connect([refused, refused, refused, hangs, ok], policy);
    for (let at = 0; at < 3; at++) await failureOf(call([one.way]));
    rest();
    expect(one.health().breaker).toBe("half_open");
    const leaves = new AbortController();
    const trial = call([one.way], { signal: leaves.signal });
    await until(() => one.asked.length === 4);
    leaves.abort(new Error("gone"));
    await expect(trial).rejects.toThrow("gone");
    expect(await textOf(call([one.way]))).toBe("answer");
    expect(one.health().breaker).toBe("closed");
  });

  test("is not opened by answers that speak about the request, nor by failures with answers in between", async () => {
    const { connect, call } = createIsolate();
    const one = connect([refused, refused, status(400), refused, refused, ok, refused, refused, status(429)], policy);
    for (let at = 0; at < 9; at++) await call([one.way]).catch(() => undefined);
    expect(one.asked).toHaveLength(9);
    expect(one.health().breaker).toBe("closed");
    const two = connect([status(500)], policy);
    for (let at = 0; at < 5; at++) await call([two.way]);
    expect(two.health()).toMatchObject({ breaker: "closed", failed: 5 });
  });

  test("never opens where the policy says so, and leaves calls to the others", async () => {
    const { connect, call } = createIsolate();
    const never = connect([refused], { attempts: 1, breaker_failures: 0 });
    for (let at = 0; at < 8; at++) await failureOf(call([never.way]));
    expect(never.health().breaker).toBe("closed");
    const first = connect([refused], policy);
    const second = connect([ok]);
    for (let at = 0; at < 6; at++) expect(await textOf(call([first.way, second.way]))).toBe("answer");
    expect([first.asked.length, second.asked.length]).toEqual([3, 6]);
  });
});
