import { expect, test } from "vitest";
import { findCommand } from "../../../../../src/ui/features/chat/prompts/find-command.ts";

/** The caret is where the bar stands. */
function find(text: string) {
  const caret = text.indexOf("|");
  return findCommand(text.replace("|", ""), caret);
}

test.each([
  ["/|", { start: 0, end: 1, query: "" }],
  ["/sum|", { start: 0, end: 4, query: "sum" }],
  ["Hello\n/sum|", { start: 6, end: 10, query: "sum" }],
  ["/täglich-für_1|", { start: 0, end: 14, query: "täglich-für_1" }],
  ["/sum| of it", { start: 0, end: 4, query: "sum" }],
  [`${"x".repeat(100)}\n/sum|`, { start: 101, end: 105, query: "sum" }],
])("%j calls for a prompt", (text, mark) => {
  expect(find(text)).toEqual(mark);
});

test.each([
  "|",
  "|/sum",
  "/su|m",
  "see /usr|",
  "/usr/bin|",
  "/sum mary|",
  "//|",
  "and/or|",
  `/${"x".repeat(61)}|`,
  `${"x".repeat(61)}/a|`,
])("%j does not", (text) => {
  expect(find(text)).toBeUndefined();
});
