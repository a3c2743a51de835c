import fc from "fast-check";
import { expect, it } from "vitest";
import { TokenBucket } from "../../src/lib/token-bucket.ts";

const limits = { maxBurst: 5, maxPerSecond: 2 };

it("never gives more than the burst and what has come since, and never less to those who wait", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 200 }), (pauses) => {
      let now = 10_000;
      const bucket = new TokenBucket(limits, now);
      const taken: number[] = [];
      const refusedAfter: number[] = [];
      for (const pause of pauses) {
        now += pause;
        if (bucket.take(now)) taken.push(now);
        else refusedAfter.push(pause);
      }
      expect(refusedAfter.filter((pause) => pause >= 500)).toEqual([]);
      const tooMany = taken.flatMap((from, first) =>
        taken.slice(first).filter((to, at) => at + 1 > 5 + ((to - from) / 1000) * 2 + 1e-6),
      );
      expect(tooMany).toEqual([]);
    }),
  );
});

it("gives nothing for a clock that goes back", () => {
  const bucket = new TokenBucket(limits, 60_000);
  for (let frame = 0; frame < 5; frame++) bucket.take(60_000);
  expect([bucket.take(0), bucket.take(60_000), bucket.take(60_500)]).toEqual([false, false, true]);
});

it("takes back no more than fits", () => {
  const bucket = new TokenBucket(limits, 0);
  bucket.giveBack();
  const taken = Array.from({ length: 6 }, () => bucket.take(0));
  expect(taken).toEqual([true, true, true, true, true, false]);
  bucket.giveBack();
  expect([bucket.take(0), bucket.take(0)]).toEqual([true, false]);
});
