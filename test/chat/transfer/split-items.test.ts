import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type SplitItem, splitItems } from "../../../src/chat/transfer/split-items.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Cuts the bytes at these places, which may be the same. */
async function* cut(whole: Uint8Array, places: readonly number[]): AsyncGenerator<Uint8Array> {
  const at = [...places.map((place) => place % (whole.length + 1)), whole.length].sort((a, b) => a - b);
  let start = 0;
  for (const end of at) {
    yield whole.subarray(start, end);
    start = end;
  }
}

async function split(whole: Uint8Array | string, places: readonly number[] = [], largest = 1_000_000) {
  const items: SplitItem[] = [];
  const all = splitItems(cut(typeof whole === "string" ? bytes(whole) : whole, places), largest);
  for (;;) {
    const { done, value } = await all.next();
    if (done) return { items, complete: value.complete };
    items.push(value);
  }
}

const values = (items: readonly SplitItem[]) => items.map((item) => ("text" in item ? JSON.parse(item.text) : item));

describe("a list that comes in", () => {
  test("is cut into its values, whatever they are and wherever the bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 4 })),
        fc.array(fc.nat()),
        fc.constantFrom(undefined, 2, "\t"),
        fc.boolean(),
        async (list, places, indent, hasMark) => {
          const json = `${hasMark ? "\ufeff" : ""}${JSON.stringify(list, null, indent)}\n`;
          const { items, complete } = await split(json, places);
          // As JSON has them: -0 is 0 there.
          expect([values(items), complete]).toEqual([JSON.parse(JSON.stringify(list)), true]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("may be one object", async () => {
    const chat = { title: 'a "b" ]}', list: [{}, []] };
    expect(values((await split(` ${JSON.stringify(chat)} `, [1, 5, 9])).items)).toEqual([chat]);
  });

  test.each([
    ["[1, [2", [1], false],
    ['[{"a": "', [], false],
    ["[1, 2", [1], false],
    ["[1] x", [1], false],
    ["{}{}", [{}], false],
    ["", [], false],
    ["[]", [], true],
    ["[ , 1,, ]", [1], true],
  ])("that is no whole list, %s, gives what is whole in it", async (text, expected, complete) => {
    const result = await split(text);
    expect([values(result.items), result.complete]).toEqual([expected, complete]);
  });

  test.each(["nonsense", '"text"', "7", "]"])("is refused when it is none: %s", async (text) => {
    await expect(split(text)).rejects.toThrow(SyntaxError);
  });

  test("says which values are too large, or no UTF-8, and goes on behind them", async () => {
    const broken = new Uint8Array([...bytes('["ok", "'), 0xff, 0xfe, ...bytes('", "after"]')]);
    expect(values((await split(broken, [3, 8])).items)).toEqual(["ok", { refused: "not UTF-8" }, "after"]);
    const large = `["${"x".repeat(100)}", 1, {"a": "${"]".repeat(100)}"}, 2]`;
    expect(values((await split(large, [10, 50, 120], 50)).items)).toEqual([
      { refused: "too large" },
      1,
      { refused: "too large" },
      2,
    ]);
  });
});
