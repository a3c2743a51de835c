import { describe, expect, test, vi } from "vitest";
import { anySignal, runtimeSignal, StopController, type StopSignal } from "../../src/lib/stop-signal.ts";

const reason = new Error("enough");

/** What both kinds do alike, and how each is made. */
const kinds: [string, () => { signal: StopSignal; abort(reason?: unknown): void }][] = [
  ["our own", () => new StopController()],
  ["the runtime's", () => new AbortController()],
];

describe.each(kinds)("a signal of %s", (_, create) => {
  test("fires once, with its first reason", () => {
    const controller = create();
    const { signal } = controller;
    const heard: unknown[] = [];
    signal.addEventListener("abort", () => heard.push(signal.reason));
    expect(signal.aborted).toBe(false);
    signal.throwIfAborted();
    controller.abort(reason);
    controller.abort(new Error("again"));
    expect(signal.aborted).toBe(true);
    expect(heard).toEqual([reason]);
    expect(() => signal.throwIfAborted()).toThrow(reason);
  });

  test("tells each listener once, and none that was removed or comes too late", () => {
    const controller = create();
    const { signal } = controller;
    const heard: string[] = [];
    const twice = () => heard.push("twice");
    const removed = () => heard.push("removed");
    for (const listener of [twice, twice, removed]) signal.addEventListener("abort", listener);
    signal.removeEventListener("abort", removed);
    controller.abort(reason);
    signal.addEventListener("abort", () => heard.push("late"));
    expect(heard).toEqual(["twice"]);
  });

  test("has a reason where none was given", () => {
    const controller = create();
    controller.abort();
    expect(controller.signal.reason).toMatchObject({ name: "AbortError" });
  });

  test("fires for the runtime too, also where it fired before", () => {
    const controller = create();
    const before = runtimeSignal(controller.signal);
    expect(runtimeSignal(controller.signal)).toBe(before);
    expect(before.aborted).toBe(false);
    controller.abort(reason);
    expect([before.aborted, before.reason]).toEqual([true, reason]);
    const late = create();
    late.abort(reason);
    expect(runtimeSignal(late.signal).reason).toBe(reason);
  });

  test("joined with others, the first one counts", () => {
    const [one, other] = [create(), create()];
    const both = anySignal([one.signal, other.signal]);
    other.abort(reason);
    one.abort(new Error("too late"));
    expect([both.aborted, both.reason]).toEqual([true, reason]);
    expect(anySignal([create().signal, other.signal]).reason).toBe(reason);
  });
});

test("a listener that fails is reported, and keeps nothing from the others", () => {
  const reports: (() => void)[] = [];
  vi.stubGlobal("queueMicrotask", (report: () => void) => reports.push(report));
  const controller = new StopController();
  let heard = false;
  controller.signal.addEventListener("abort", () => {
    throw reason;
  });
  controller.signal.addEventListener("abort", () => {
    heard = true;
  });
  controller.abort(new Error("any"));
  vi.unstubAllGlobals();
  expect(heard).toBe(true);
  expect(reports).toHaveLength(1);
  expect(reports[0]).toThrow(reason);
});
