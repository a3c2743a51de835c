import { expect, test } from "vitest";
import { readUnreachable } from "../../../src/ui/lib/read-unreachable.ts";

test.each([
  [undefined, []],
  ["Harbour", ["Harbour"]],
  ["Harbour, Caf%C3%A9 %26 co", ["Harbour", "Café & co"]],
  ["100%", ["100%"]],
])("%j names %j", (header, expected) => {
  expect(readUnreachable(new Headers(header === undefined ? {} : { "x-parley-unreachable": header }))).toEqual(
    expected,
  );
});
