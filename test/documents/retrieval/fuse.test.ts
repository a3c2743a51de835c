import { expect, test } from "vitest";
import { fuse, type FuseOptions } from "../../../src/documents/retrieval/fuse.ts";
import type { Found } from "../../../src/documents/retrieval/load-found.ts";

const found = (chunk: number, words: number[], similarities: number[]): Found => ({
  chunk,
  words,
  similarities,
  passage: undefined,
});
const order = (list: readonly Found[], options: Partial<FuseOptions> = {}) =>
  fuse(list, { keywordWeight: 0.5, threshold: 0, ...options }).map(({ chunk }) => chunk);

test("a name that the model knows nothing of stands above what is only near", () => {
  const near = Array.from({ length: 20 }, (_, at) => found(at, [0], [0.6 - at / 100]));
  expect(order([...near, found(99, [0.95], [0.05])])[0]).toBe(99);
});

test("words that happen to be in a passage do not put it above what is meant", () => {
  expect(order([found(1, [0.3], [0.2]), found(2, [0], [0.6]), found(3, [0.1], [0.3])])[0]).toBe(2);
});

test("models whose vectors are all near each other order as well as others", () => {
  const wide = [found(1, [0], [0.7]), found(2, [0.4], [0.1]), found(3, [0.9], [0.2])];
  const narrow = wide.map((one) => ({ ...one, similarities: one.similarities.map((value) => 0.8 + value / 10) }));
  expect(order(narrow)).toEqual(order(wide));
});

test("the weight decides between words and meaning, up to one of them alone", () => {
  const list = [found(1, [1], [0]), found(2, [0.2], [0.9])];
  expect(order(list, { keywordWeight: 1 })).toEqual([1, 2]);
  expect(order(list, { keywordWeight: 0 })).toEqual([2, 1]);
});

test("of several wordings the one counts that fits best", () => {
  const list = [found(1, [0.2, 0.2], [0.3, 0.3]), found(2, [0, 1], [0.1, 0.8]), found(3, [0.5, 0], [0.5, 0.1])];
  expect(order(list)[0]).toBe(2);
});

test("what is too far is left out, unless its words were found; what has no vector has words", () => {
  const list = [found(1, [0], [0.3]), found(2, [0.1], [0.1]), found(3, [0], [0.6]), found(4, [0.5], [])];
  expect(order(list, { threshold: 0.5 }).toSorted()).toEqual([2, 3, 4]);
});

test("scores lie between 0 and 1, whatever is found", () => {
  const lists = [
    [],
    [found(1, [0], [0.4])],
    [found(1, [1], [])],
    [found(1, [1], [-0.2]), found(2, [0], [-0.9])],
    [found(1, [], [0.5, 0.5]), found(2, [], [0.5, 0.5])],
  ];
  for (const list of lists)
    for (const keywordWeight of [0, 0.5, 1])
      for (const { score } of fuse(list, { keywordWeight, threshold: -1 })) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }
});
