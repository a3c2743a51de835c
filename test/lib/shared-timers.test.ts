import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSharedTimers, neverMs, watchIdle } from "../../src/lib/timers.ts";
import { createManualTimers } from "../upstream/manual-timers.ts";

test("what is set and cleared in one request takes one timer of the runtime, and none is left", () => {
  const own = createManualTimers();
  let set = 0;
  const timers = createSharedTimers({ ...own, set: (run, ms) => (set++, own.set(run, ms)) });
  const rights = timers.set(() => undefined, 1000);
  const others = [5000, 600_000, 600_000].map((ms) => timers.set(() => undefined, ms));
  for (const other of others) timers.clear(other);
  expect(own.pending).toBe(1);
  timers.clear(rights);
  expect([set, own.pending]).toEqual([1, 0]);
});

test("of a request, the timer of the runtime stays for the next one", () => {
  const own = createManualTimers();
  let set = 0;
  const counted = { ...own, set: (run: () => void, ms: number) => (set++, own.set(run, ms)) };
  const timers = createSharedTimers(counted, { isRequest: true });
  for (const ms of [1000, 5000, 600_000]) timers.clear(timers.set(() => undefined, ms));
  expect([set, own.pending]).toEqual([1, 1]);
  const fired: number[] = [];
  timers.set(() => fired.push(own.now()), 2000);
  const due = own.now() + 2000;
  own.advance(5000);
  expect([fired, own.pending]).toEqual([[due], 0]);
});

test("each fires at its time and once, in order, however they are set and cleared", () => {
  const step = fc.record({ ms: fc.integer({ min: 0, max: 3000 }), pass: fc.integer({ min: 0, max: 1000 }) });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.array(fc.nat(29), { maxLength: 10 }),
      fc.boolean(),
      (steps, cleared, isRequest) => {
        const own = createManualTimers();
        const timers = createSharedTimers(own, { isRequest });
        const fired: { index: number; at: number }[] = [];
        const dueAt = new Map<number, number>();
        const handles = steps.map(({ ms, pass }, index) => {
          dueAt.set(index, own.now() + ms);
          const handle = timers.set(() => fired.push({ index, at: own.now() }), ms);
          own.advance(pass);
          return handle;
        });
        for (const index of cleared) {
          if (fired.some((each) => each.index === index)) continue;
          timers.clear(handles[index]);
          dueAt.delete(index);
        }
        own.advance(10_000);
        expect(new Map(fired.map(({ index, at }) => [index, at]))).toEqual(dueAt);
        expect(fired).toHaveLength(dueAt.size);
        expect(fired.map(({ at }) => at)).toEqual(fired.map(({ at }) => at).sort((a, b) => a - b));
        expect(own.pending).toBe(0);
      },
    ),
  );
});

test("one may clear others and set new ones when it fires", () => {
  const own = createManualTimers();
  const timers = createSharedTimers(own);
  const fired: string[] = [];
  timers.set(() => fired.push("first"), 500);
  timers.set(() => timers.clear(second), 500);
  const second = timers.set(() => fired.push("cleared by the one before"), 500);
  timers.set(() => fired.push("again", String(timers.set(() => fired.push("set meanwhile"), 500) !== undefined)), 600);
  own.advance(2000);
  expect(fired).toEqual(["first", "again", "true", "set meanwhile"]);
});

test("silence that may last for ever is not watched", () => {
  const own = createManualTimers();
  watchIdle(own, neverMs, () => undefined).stop();
  expect(own.pending).toBe(0);
});
