import { expect, it } from "vitest";
import { readNumbers } from "../../../../src/ui/lib/markdown/cite.ts";

it("reads the numbers of citations, and nothing endless or backwards", () => {
  expect(readNumbers("1")).toEqual([1]);
  expect(readNumbers("1, 2;5")).toEqual([1, 2, 5]);
  expect(readNumbers("2-4")).toEqual([2, 3, 4]);
  expect(readNumbers("1, 3–5")).toEqual([1, 3, 4, 5]);
  expect(readNumbers("5-2")).toBeUndefined();
  expect(readNumbers("1-9999")).toBeUndefined();
});
