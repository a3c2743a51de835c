import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Environment } from "../../src/context.ts";
import { AppError } from "../../src/errors.ts";
import { charge, holdBody, requireAllowance, unitsOf } from "../../src/http/body-budget.ts";

let environment: Environment;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  environment = { MAX_BODY_MEMORY: 64 };
});
afterEach(() => vi.useRealTimers());

const MB = 1_000_000;

/** A body that wants a place: what became of it so far. */
function ask(person: string, bytes: number) {
  const asked = {
    state: "waiting",
    free: () => undefined as void,
    grow: (() => undefined) as (bytes: number) => void,
    abort: new AbortController(),
  };
  holdBody(environment, person, bytes, asked.abort.signal).then(
    (place) => Object.assign(asked, place, { state: "held" }),
    (error: unknown) => (asked.state = error instanceof AppError ? error.code : "aborted"),
  );
  return asked;
}
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const statesOf = (...asked: { state: string }[]) => asked.map(({ state }) => state);

describe("bodies in memory", () => {
  test("have their bytes bounded, for all and for each person", async () => {
    const [a, a2, b, c, small] = [ask("a", 32 * MB), ask("a", MB), ask("b", 32 * MB), ask("c", MB), ask("d", 60_000)];
    await pass(100);
    expect(statesOf(a, a2, b, c, small)).toEqual(["held", "waiting", "held", "waiting", "held"]);
    b.free();
    await pass(100);
    expect(statesOf(a2, c)).toEqual(["waiting", "held"]);
    a.free();
    await pass(100);
    expect(a2.state).toBe("held");
  });

  test("come in order, past those whose person has too many", async () => {
    const held = [ask("a", 32 * MB), ask("b", 32 * MB)];
    await pass(100);
    const own = ask("a", 20 * MB);
    const first = ask("c", 30 * MB);
    const second = ask("d", MB);
    await pass(200);
    held[1]!.free();
    await pass(100);
    expect(statesOf(own, first, second)).toEqual(["waiting", "held", "held"]);
  });

  test("are refused after a while, and at once where a person has many that wait", async () => {
    ask("a", 32 * MB);
    const waiting = Array.from({ length: 16 }, () => ask("a", MB));
    const another = ask("a", MB);
    await pass(0);
    expect(statesOf(...waiting, another)).toEqual([...waiting.map(() => "waiting"), "too_many_requests"]);
    await pass(11_000);
    expect(statesOf(...waiting)).toEqual(waiting.map(() => "too_many_requests"));
  });

  test("of unknown length grow as long as there is memory", async () => {
    const many = Array.from({ length: 30 }, () => ask("a", 0));
    const other = ask("b", 0);
    await pass(0);
    expect(new Set(statesOf(...many, other))).toEqual(new Set(["held"]));
    for (const each of many) each.grow(MB);
    const refusal = expect.objectContaining({ code: "too_many_requests" }) as Error;
    expect(() => many[0]!.grow(4 * MB)).toThrow(refusal);
    other.grow(32 * MB);
    expect(() => other.grow(40 * MB)).toThrow(refusal);
    for (const each of many) each.free();
    other.grow(40 * MB);
  });

  test("wait no longer than their request", async () => {
    ask("a", 32 * MB);
    const left = ask("a", MB);
    await pass(100);
    left.abort.abort();
    await pass(0);
    expect(left.state).toBe("aborted");
  });

  test("keep their place as long as their request lives", async () => {
    const held = ask("a", 32 * MB);
    await pass(60_000);
    const next = ask("a", MB);
    await pass(5000);
    expect(next.state).toBe("waiting");
    held.free();
    await pass(100);
    expect(next.state).toBe("held");
  });

  test("lose it when their request was discarded without an end", async () => {
    const discarded = ask("a", 32 * MB);
    await pass(0);
    expect(discarded.state).toBe("held");
    // The runtime drops the timers of a request together with it.
    vi.clearAllTimers();
    vi.setSystemTime(Date.now() + 25_000);
    const next = ask("a", MB);
    await pass(0);
    expect(next.state).toBe("held");
  });
});

describe("what a person may spend on bodies", () => {
  test("is refused when it is used up, for that person only, and comes back with time", () => {
    charge(environment, "a", unitsOf(40 * MB, 200_000));
    charge(environment, "a", unitsOf(40 * MB, 200_000));
    const refusal = expect.objectContaining({ code: "too_many_requests", retryAfter: 4 }) as Error;
    expect(() => requireAllowance(environment, "a")).toThrow(refusal);
    expect(() => requireAllowance(environment, "b")).not.toThrow();
    vi.setSystemTime(Date.now() + 4000);
    expect(() => requireAllowance(environment, "a")).not.toThrow();
  });

  test("is not touched by ordinary requests, however many", () => {
    for (let n = 0; n < 10_000; n++) charge(environment, "a", unitsOf(100_000, 1000));
    expect(() => requireAllowance(environment, "a")).not.toThrow();
  });
});
