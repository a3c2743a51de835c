import { validate, version } from "uuid";
import { expect, test, vi } from "vitest";
import { newId } from "../../src/lib/id.ts";

test("ids are unique and sorted by when they were made, also within a millisecond and when the clock goes back", () => {
  vi.useFakeTimers();
  try {
    const ids: string[] = [];
    for (const moveMs of [0, 1, 1000, -5000, 0]) {
      vi.setSystemTime(Date.now() + moveMs);
      for (let n = 0; n < 1000; n++) ids.push(newId());
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("their last parts are random", () => {
  const tails = Array.from({ length: 1000 }, () => newId().slice(24));
  expect(new Set(tails).size).toBe(tails.length);
});
