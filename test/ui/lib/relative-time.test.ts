import { expect, test } from "vitest";
import { exactTime, relativeTime } from "../../../src/ui/lib/relative-time.ts";

const now = Date.UTC(2026, 10, 21, 12) / 1000;

test.each([
  [now, "now"],
  [now - 30, "now"],
  [now - 60, "1 minute ago"],
  [now - 59 * 60, "59 minutes ago"],
  [now - 3600, "1 hour ago"],
  [now - 23 * 3600, "23 hours ago"],
  [now + 2 * 3600, "in 2 hours"],
])("%d is %j", (at, expected) => {
  expect(relativeTime(at, now)).toBe(expected);
});

test("after a day it is a date, with the year when it is another one", () => {
  expect(relativeTime(now - 3 * 86_400, now)).toMatch(/18/);
  expect(relativeTime(now - 3 * 86_400, now)).not.toMatch(/2026/);
  expect(relativeTime(now - 400 * 86_400, now)).toMatch(/2025/);
});

test("the exact moment has the day and the seconds", () => {
  expect(exactTime(now + 7)).toMatch(/2026.*07/s);
});
