import fc from "fast-check";
import { expect, test } from "vitest";
import { ticksFor } from "../../../../src/ui/components/plot/ticks-for.ts";

test.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [30, [0, 10, 20, 30]],
  [265_000, [0, 100_000, 200_000, 300_000]],
])("the axis up to %d is %j", (largest, ticks) => {
  expect(ticksFor(largest)).toEqual(ticks);
});

test("the axis is short, begins at nothing and reaches the largest value", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), (largest) => {
      const ticks = ticksFor(largest);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.every(Number.isInteger)).toBe(true);
    }),
  );
});
