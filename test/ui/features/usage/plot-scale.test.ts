import { expect, test } from "vitest";
import { eachDay, toBars } from "../../../../src/ui/features/usage/plot-scale.ts";
import type { UsageRow } from "../../../../src/ui/features/usage/usage-api.ts";

test("every day of the time has a bar, over the ends of months and years", () => {
  expect(eachDay("2025-12-30", "2026-01-02")).toEqual(["2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02"]);
  expect(eachDay("2026-02-28", "2026-02-28")).toEqual(["2026-02-28"]);
});

test("tokens are read below and written on it; failed requests stand on those that were answered", () => {
  const row = { day: "2026-01-02", input: 70, output: 30, total: 110, requests: 5, errors: 9 } as UsageRow;
  expect(toBars([row], "2026-01-01", "2026-01-02", "tokens")).toEqual([
    { day: "2026-01-01", lower: 0, upper: 0 },
    { day: "2026-01-02", lower: 80, upper: 30 },
  ]);
  expect(toBars([row], "2026-01-02", "2026-01-02", "requests")).toEqual([{ day: "2026-01-02", lower: 0, upper: 5 }]);
});
