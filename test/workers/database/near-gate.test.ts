import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { realTimers } from "../../../src/lib/timers.ts";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

/** A gate in this isolate, as after its first call, with what it was given in each of its turns. */
async function createGate() {
  const near = await import("../../../workers/database/near-gate.ts");
  const turns: string[][] = [];
  const gate = { answers: true };
  near.noteGate();
  void near.serveNear((asked) => {
    turns.push(asked.map(({ args }) => String(args[0])));
    if (gate.answers) for (const { args, settle } of asked) settle(`row ${args[0]}`);
  });
  return { ...near, turns, gate };
}

test("what is asked in one turn of the event loop comes to the gate together, and each gets its own answer", async () => {
  const { askNear, isGateNear, turns } = await createGate();
  expect(isGateNear()).toBe(true);
  const answers = await Promise.all(["a", "b", "c"].map((arg) => askNear(realTimers, "SELECT ?1", [arg])));
  expect(answers).toEqual(["row a", "row b", "row c"]);
  expect(turns).toEqual([["a", "b", "c"]]);
  expect(await askNear(realTimers, "SELECT ?1", ["d"])).toBe("row d");
  expect(turns).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});

test("the gate counts as near for three seconds after a call, well below the time that keeps it in memory", async () => {
  const { isGateNear, noteGate } = await createGate();
  vi.advanceTimersByTime(3001);
  expect(isGateNear()).toBe(false);
  noteGate();
  expect(isGateNear()).toBe(true);
});

test("nobody waits for a gate that is gone, and the next one calls the object", async () => {
  const { askNear, isGateNear, gate } = await createGate();
  gate.answers = false;
  const failed = askNear(realTimers, "SELECT ?1", ["a"]).catch((error: unknown) => String(error));
  await vi.advanceTimersByTimeAsync(1000);
  expect(await failed).toBe("Error: the gate did not answer");
  expect(isGateNear()).toBe(false);
});

test("before its first call there is none", async () => {
  const { isGateNear } = await import("../../../workers/database/near-gate.ts");
  expect(isGateNear()).toBe(false);
});
