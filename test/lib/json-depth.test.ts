import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findExcess, isTooDeep, JsonScanner, maxJsonDepth } from "../../src/lib/json-depth.ts";
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

const utf8 = new TextEncoder();

/** What a scanner finds in JSON that arrives in parts of these lengths. */
function scanIn(json: string, lengths: readonly number[], maxValues = Infinity) {
  const scanner = new JsonScanner(maxValues);
  const bytes = utf8.encode(json);
  let at = 0;
  for (const length of [...lengths, bytes.length]) {
    const excess = scanner.scan(bytes.subarray(at, at + length));
    if (excess) return { excess, values: scanner.values };
    at += length;
  }
  return { excess: undefined, values: scanner.values };
}

describe("the values of JSON", () => {
  test("are counted, never too few of them and at most twice as many, wherever the bytes are cut", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.array(fc.nat(20), { maxLength: 30 }), (value, lengths) => {
        const { values } = scanIn(JSON.stringify(value, null, 2), lengths);
        const there = valuesIn(value);
        expect(values).toBeGreaterThanOrEqual(there);
        expect(values).toBeLessThanOrEqual(2 * there);
      }),
    );
  });

  test("are not found in texts, whatever is escaped there and wherever the bytes are cut", () => {
    const text = fc.string({ unit: fc.constantFrom('"', "\\", ",", "[", "a", "é"), maxLength: 40 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), fc.array(fc.nat(5), { maxLength: 40 }), (texts, lengths) => {
        const { values } = scanIn(JSON.stringify(texts), lengths);
        expect(values).toBe(1 + Math.max(1, texts.length));
      }),
    );
  });

  test("are not gone through beyond the limit", () => {
    const json = `[${"{},".repeat(1000)}${"[".repeat(maxJsonDepth + 1)}`;
    expect(scanIn(json, [], 100)).toEqual({ excess: "values", values: 101 });
    expect(findExcess(json, 100)).toBe("values");
    expect([scanIn(json, []).excess, findExcess(json, Infinity)]).toEqual(["depth", "depth"]);
    expect(findExcess("[1,2,3]", 4)).toBeUndefined();
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
