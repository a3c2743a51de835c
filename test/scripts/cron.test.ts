import { describe, expect, test } from "vitest";
import { isCronDue } from "../../scripts/launch/cron.ts";

// A Saturday.
const time = new Date("2026-11-21T13:45:30Z");

describe("a cron expression", () => {
  test.each([
    "* * * * *",
    "45 13 21 11 6",
    "*/15 * * * *",
    "0,45 12-14 * * *",
    "40-50/5 * * * *",
    "5/10 * * * *",
    "* * 1 * 6",
    "* * 21 * 0",
  ])("%s is due at 13:45 on Saturday, 21 November", (expression) => expect(isCronDue(expression, time)).toBe(true));

  test.each([
    "44 * * * *",
    "*/7 * * * *",
    "* 14 * * *",
    "* * 22 * *",
    "* * * 12 *",
    "* * * * 0-5",
    "* * 1 * 0",
    "46/2 * * * *",
  ])("%s is not", (expression) => expect(isCronDue(expression, time)).toBe(false));

  test.each(["* * * *", "* * * * * *", "@hourly", "MON * * * *", "1- * * * *"])("%s is refused", (expression) =>
    expect(() => isCronDue(expression, time)).toThrow(/cron expression/),
  );
});
