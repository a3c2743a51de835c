import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTooDeep, maxJsonDepth, measureJson } from "../../src/lib/json-depth.ts";
import { cpuTime } from "../cpu-time.ts";

const lists = (depth: number, inside = "") => "[".repeat(depth) + inside + "]".repeat(depth);

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Object.values(value).reduce((sum: number, each) => sum + valuesIn(each), 0);
}

describe("the values of JSON", () => {
  test("are counted, never too few of them and at most twice as many", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const { values } = measureJson(JSON.stringify(value, null, 2));
        const there = valuesIn(value);
        expect(values).toBeGreaterThanOrEqual(there);
        expect(values).toBeLessThanOrEqual(2 * there);
      }),
    );
  });

  test("are not gone through beyond the limit", () => {
    expect(measureJson(`[${"{},".repeat(1000)}${"[".repeat(maxJsonDepth + 1)}`, 100)).toEqual({
      values: 101,
      isTooDeep: false,
    });
  });
});

describe("the depth of JSON", () => {
  test("is counted in lists and objects, and not in texts", () => {
    expect(isTooDeep(lists(maxJsonDepth))).toBe(false);
    expect(isTooDeep(lists(maxJsonDepth + 1))).toBe(true);
    expect(isTooDeep('{"a":'.repeat(maxJsonDepth + 1))).toBe(true);
    expect(isTooDeep(`[${"[],".repeat(maxJsonDepth)}[]]`)).toBe(false);
    expect(isTooDeep(JSON.stringify([lists(10_000), '"', '\\"', "\\", lists(10_000)]))).toBe(false);
    expect(isTooDeep(lists(maxJsonDepth - 1, JSON.stringify({ "]\\": ']\\"]' })))).toBe(false);
    expect(isTooDeep(lists(maxJsonDepth, JSON.stringify({ "]\\": ']\\"]' })))).toBe(true);
  });

  test("is right for whatever there is", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(8), (value, below) => {
        const depth = maxJsonDepth - below;
        expect(isTooDeep(lists(depth, JSON.stringify(value)))).toBe(depthOf(value) > below);
      }),
    );
  });

  test("is found at once in what is large", () => {
    const took = cpuTime(() => {
      isTooDeep(JSON.stringify(["x".repeat(30_000_000), ...Array.from({ length: 100_000 }, () => "a\\")]));
      isTooDeep(lists(10_000_000));
    });
    expect(took).toBeLessThan(1000);
  });
});
