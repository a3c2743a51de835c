import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watch } from "../../scripts/launch/watchdog.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("silence of 20 s is told once", async () => {
  const onSilent = vi.fn<() => void>();
  watch(() => Promise.resolve(false), onSilent);
  await vi.advanceTimersByTimeAsync(19_900);
  expect(onSilent).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(onSilent).toHaveBeenCalledOnce();
});

test("one answer in between is enough, also a late one", async () => {
  const onSilent = vi.fn<() => void>();
  const late: (() => void)[] = [];
  watch(() => new Promise((resolve) => late.push(() => resolve(true))), onSilent);
  for (let times = 0; times < 5; times += 1) {
    await vi.advanceTimersByTimeAsync(18_000);
    late.splice(0)[0]!();
  }
  expect(onSilent).not.toHaveBeenCalled();
});

test("a clock that jumps counts as one question", async () => {
  const onSilent = vi.fn<() => void>();
  watch(() => Promise.resolve(false), onSilent);
  await vi.advanceTimersByTimeAsync(4000);
  vi.setSystemTime(Date.now() + 8 * 3600_000);
  await vi.advanceTimersByTimeAsync(4000);
  expect(onSilent).not.toHaveBeenCalled();
});

test("nobody is told of what has ended", async () => {
  const onSilent = vi.fn<() => void>();
  watch(() => Promise.resolve(false), onSilent)();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onSilent).not.toHaveBeenCalled();
});
