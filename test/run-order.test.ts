import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { longest, measuringLanes } from "./run-order.ts";

test.each([...longest, ...measuringLanes.flat()])("%s, which has its place in the order, is there", (file) => {
  expect(existsSync(path.join(import.meta.dirname, "..", file))).toBe(true);
});
