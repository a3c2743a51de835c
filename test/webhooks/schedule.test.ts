import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeAttempt } from "../../src/webhooks/judge-attempt.ts";
import { maxAttempts, nextAttemptAt, pausedUntil } from "../../src/webhooks/schedule.ts";

const now = 1_800_000_000_000;
const seconds = 1000;

describe("the next attempt", () => {
  it("comes by Svix's schedule, never earlier and at most a tenth later", () => {
    const at = (random: number) =>
      Array.from({ length: maxAttempts }, (_, index) => {
        const next = nextAttemptAt({ number: index + 1, now, random });
        return next === undefined ? undefined : (next - now) / seconds;
      });
    expect(at(0)).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000, undefined]);
    expect(at(1)).toEqual([5.5, 330, 1980, 7920, 19_800, 39_600, 39_600, undefined]);
  });

  it("is never before what the receiver said", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: maxAttempts - 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 86_400 }),
        (number, random, retryAfter) => {
          const plain = nextAttemptAt({ number, now, random: 0 })!;
          const next = nextAttemptAt({ number, now, random, retryAfter })!;
          expect(next).toBeGreaterThanOrEqual(Math.max(plain, now + retryAfter * seconds));
          expect(next - now).toBeLessThanOrEqual(Math.max(plain - now, retryAfter * seconds) * 1.1 + 1);
        },
      ),
    );
  });
});

it("an overloaded endpoint is left alone for longer the longer it fails, up to five minutes, or as long as it says", () => {
  const pause = (failedFor: number, retryAfter?: number) =>
    pausedUntil(now, now - failedFor * seconds, retryAfter) - now;
  expect([0, 100, 1000, 100_000].map((failedFor) => pause(failedFor) / seconds)).toEqual([5, 10, 100, 300]);
  expect(pause(1000, 7)).toBe(7 * seconds);
});

describe("an attempt", () => {
  const judge = (
    outcome: {
      status?: number;
      error?: "timeout" | "unreachable" | "redirect";
      retryAfter?: number;
      isAborted?: boolean;
    },
    number = 1,
  ) =>
    judgeAttempt({
      outcome: { status: null, error: null, retryAfter: undefined, isAborted: false, ...outcome },
      number,
      failingSince: null,
      now,
      random: 0,
    });

  it.each([200, 201, 202, 204, 299])("answered with %i is taken", (status) => {
    expect(judge({ status })).toEqual({ state: "delivered" });
  });

  it.each([100, 199, 400, 401, 404, 409, 413, 500, 503, 599])(
    "answered with %i is tried again, without a pause for others",
    (status) => {
      expect(judge({ status })).toEqual({ state: "pending", next: now + 5 * seconds, pause: null, isGone: false });
    },
  );

  it.each([429, 502, 504])("answered with %i lets the endpoint rest", (status) => {
    expect(judge({ status })).toMatchObject({ state: "pending", pause: now + 5 * seconds });
    expect(judge({ status, retryAfter: 60 })).toMatchObject({ next: now + 60 * seconds, pause: now + 60 * seconds });
  });

  it("answered with 503 lets it rest where it says until when", () => {
    expect(judge({ status: 503, retryAfter: 30 })).toMatchObject({ pause: now + 30 * seconds });
  });

  it("that led elsewhere is none that was taken", () => {
    expect(judge({ status: 302, error: "redirect" })).toMatchObject({ state: "pending", pause: null });
  });

  it("without an answer in time lets it rest", () => {
    expect(judge({ error: "timeout" })).toMatchObject({ state: "pending", pause: now + 5 * seconds });
    expect(judge({ error: "unreachable" })).toMatchObject({ state: "pending", pause: null });
  });

  it("is the last one where the receiver is gone, wants no more, or has had all", () => {
    expect(judge({ status: 410 })).toMatchObject({ state: "failed", next: null, isGone: true });
    expect(judge({ status: 500, isAborted: true })).toMatchObject({ state: "failed", next: null, isGone: false });
    expect(judge({ status: 500 }, maxAttempts)).toMatchObject({ state: "failed", next: null, isGone: false });
    expect(judge({ status: 500 }, maxAttempts + 1)).toMatchObject({ state: "failed" });
  });
});
