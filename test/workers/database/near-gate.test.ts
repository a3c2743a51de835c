import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { realTimers } from "../../../src/lib/timers.ts";
import { NearGate } from "../../../workers/database/near-gate.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A gate in this isolate, as after its first call, with what it was given in each of its turns. */
function createGate() {
  const near = new NearGate<string>(1000);
  const turns: string[][] = [];
  const gate = { answers: true };
  const note = () => near.note(take);
  const take: Parameters<typeof near.note>[0] = (handed) => {
    turns.push(handed.map(({ asked }) => asked));
    if (gate.answers) for (const { asked, settle } of handed) settle(`row ${asked}`);
  };
  note();
  return { near, turns, gate, note };
}

test("what is asked in one turn of the event loop comes to the gate together, and each gets its own answer", async () => {
  const { near, turns } = createGate();
  expect(near.isNear).toBe(true);
  const answers = await Promise.all(["a", "b", "c"].map((arg) => near.ask(realTimers, arg)));
  expect(answers).toEqual(["row a", "row b", "row c"]);
  expect(turns).toEqual([["a", "b", "c"]]);
  expect(await near.ask(realTimers, "d")).toBe("row d");
  expect(turns).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});

test("the gate counts as near for three seconds after a call, well below the time that keeps it in memory", () => {
  const { near, note } = createGate();
  vi.advanceTimersByTime(3001);
  expect(near.isNear).toBe(false);
  note();
  expect(near.isNear).toBe(true);
});

test("nobody waits for a gate that is gone, and the next one calls the object", async () => {
  const { near, gate } = createGate();
  gate.answers = false;
  const failed = near.ask(realTimers, "a").catch((error: unknown) => String(error));
  await vi.advanceTimersByTimeAsync(1000);
  expect(await failed).toBe("Error: the gate did not answer");
  expect(near.isNear).toBe(false);
});

test("an object that takes the place of another one is handed what comes from then on", async () => {
  const { near, turns } = createGate();
  near.note((handed) => handed.forEach(({ settle }) => settle("of the next one")));
  expect(await near.ask(realTimers, "a")).toBe("of the next one");
  expect(turns).toEqual([]);
});

test("before its first call there is none", () => {
  expect(new NearGate(1000).isNear).toBe(false);
});
