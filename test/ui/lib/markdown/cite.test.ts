import { expect, test } from "vitest";
import { citedNumbers, readNumbers } from "../../../../src/ui/lib/markdown/cited-numbers.ts";

test("the numbers of one pair of brackets", () => {
  expect(readNumbers("1")).toEqual([1]);
  expect(readNumbers("1, 2;5")).toEqual([1, 2, 5]);
  expect(readNumbers("2-4")).toEqual([2, 3, 4]);
  expect(readNumbers("1, 3–5")).toEqual([1, 3, 4, 5]);
  expect(readNumbers("5-2")).toBeUndefined();
  expect(readNumbers("1-9999")).toBeUndefined();
});

test("the numbers that a text cites, and none in code", () => {
  const text = "Berths [1, 3-4] and 【7†source】.\n\n```js\na[9]\n```\n\nAlso `b[8]`, [12] and [x].\n\n~~~\nc[10]";
  expect([...citedNumbers(text)]).toEqual([1, 3, 4, 7, 12]);
  expect([...citedNumbers("``a ` [5]`` [6]")]).toEqual([6]);
  expect(citedNumbers("none").size).toBe(0);
});
