import { expect, test } from "vitest";
import { endOf } from "../../../../src/ui/features/status/status-end.ts";

const at = (text: string) => Math.floor(new Date(text).getTime() / 1000);

test.each([
  ["never", "2026-11-24T12:00", null],
  ["halfHour", "2026-11-24T23:45", at("2026-11-25T00:15")],
  ["hour", "2026-11-24T12:00", at("2026-11-24T13:00")],
  ["fourHours", "2026-11-24T12:00", at("2026-11-24T16:00")],
  ["today", "2026-11-24T00:00", at("2026-11-25T00:00")],
  ["today", "2026-12-31T23:59", at("2027-01-01T00:00")],
  // A Tuesday, and a Sunday.
  ["week", "2026-11-24T12:00", at("2026-11-30T00:00")],
  ["week", "2026-11-29T12:00", at("2026-11-30T00:00")],
] as const)("a status set %s on %s ends", (choice, now, end) => {
  expect(endOf(choice, new Date(now))).toBe(end);
});
