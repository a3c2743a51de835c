import { expect, test } from "vitest";
import {
  numberFields,
  readNumber,
  readStops,
  showStops,
} from "../../../../../src/ui/features/chat/parameters/fields.ts";

const field = (name: string) => numberFields.find((each) => each.name === name)!;

test.each([
  ["temperature", "", undefined],
  ["temperature", " 0,7 ", 0.7],
  ["temperature", "2", 2],
  ["top_p", "0", 0],
  ["max_tokens", "512", 512],
  ["seed", "-3", -3],
  ["presence_penalty", "-2", -2],
])("%s takes %j", (name, text, value) => {
  expect(readNumber(text, field(name))).toEqual({ value });
});

test.each([
  ["temperature", "warm"],
  ["temperature", "2.1"],
  ["temperature", "-1"],
  ["top_p", "1.5"],
  ["max_tokens", "0"],
  ["max_tokens", "1.5"],
  ["seed", "1e99"],
  ["seed", "Infinity"],
])("%s does not take %j, and says why", (name, text) => {
  expect(readNumber(text, field(name))).toEqual({ problem: expect.stringMatching(/\.$/u) });
});

test.each([
  ["", undefined],
  [" , ", undefined],
  ["END", ["END"]],
  ["END, ###,", ["END", "###"]],
])("the stops %j are %j", (text, stops) => {
  expect(readStops(text)).toEqual(stops);
});

test.each([
  [["END", 3, "###"], "END, ###"],
  ["END,###", "END,###"],
  [undefined, ""],
  [{}, ""],
])("stored stops %j are shown as %j", (stored, text) => {
  expect(showStops(stored)).toBe(text);
});
