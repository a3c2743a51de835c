import { expect, test } from "vitest";
import { matchPath } from "../../../src/ui/lib/match-path.ts";

test.each([
  ["/", "/", {}],
  ["/c/:id", "/c/0190", { id: "0190" }],
  ["/c/:id", "/c/a%2Fb", { id: "a/b" }],
  ["/admin/people", "/admin/people/", {}],
  ["/c/:id", "/c", undefined],
  ["/c/:id", "/c/1/2", undefined],
  ["/c/:id", "/d/1", undefined],
  ["/c/:id", "/c/%E0%A4%A", undefined],
])("%s against %s gives %j", (pattern, path, expected) => {
  expect(matchPath(pattern, path)).toEqual(expected);
});
