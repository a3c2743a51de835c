import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Guard } from "../../scripts/launch/guard.ts";
import { SupervisedProcess, type ProcessPlan } from "../../scripts/launch/supervised-process.ts";

let guard: Guard;
let folder: string;
const supervisedOnes: SupervisedProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-supervised-test-"));
  guard = new Guard(path.join(folder, "children"), path.join(folder, "scratch"));
  // What it tells people is not for the output of the tests.
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(async () => {
  for (const supervised of supervisedOnes.splice(0)) await supervised.stop();
  vi.restoreAllMocks();
  guard.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A process that runs a line of shell and is ready at once. */
function plan(line: () => string, changes: Partial<ProcessPlan> = {}): ProcessPlan & { starts: () => number } {
  let starts = 0;
  return {
    name: "sh",
    stopTimeoutMs: 100,
    firstPauseMs: 1,
    spawn() {
      starts += 1;
      return spawn("sh", ["-c", line()], { stdio: "ignore" });
    },
    untilReady: () => Promise.resolve(),
    lastWords: () => "It said last:\nno memory",
    starts: () => starts,
    ...changes,
  };
}

function supervise(given: ProcessPlan) {
  const giveUp = vi.fn<(message: string) => void>();
  const supervised = new SupervisedProcess(given, guard, giveUp);
  supervisedOnes.push(supervised);
  return { supervised, giveUp };
}

describe("a supervised process", () => {
  test("is started again when it ends, and not when it was stopped", async () => {
    const lines = ["exit 3", "exec sleep 60"];
    const given = plan(() => lines.shift() ?? "exec sleep 60");
    const { supervised, giveUp } = supervise(given);
    await supervised.start();
    await vi.waitFor(() => expect(given.starts()).toBe(2), { timeout: 30_000 });
    await supervised.stop();
    expect(given.starts()).toBe(2);
    expect(giveUp).not.toHaveBeenCalled();
  });

  test("is given up with its last words after the sixth end within a minute", async () => {
    const given = plan(() => "exit 3");
    const { supervised, giveUp } = supervise(given);
    await supervised.start();
    await vi.waitFor(() => expect(giveUp).toHaveBeenCalledOnce(), { timeout: 30_000 });
    expect(given.starts()).toBe(6);
    expect(giveUp).toHaveBeenCalledWith("sh ended 6 times within a minute. It said last:\nno memory");
  });

  test("that never gets ready counts as ended", async () => {
    let first = true;
    const given = plan(() => (first ? "exit 3" : "exec sleep 60"), {
      untilReady() {
        if (!first) return Promise.reject(new Error("not healthy"));
        first = false;
        return Promise.resolve();
      },
    });
    const { supervised, giveUp } = supervise(given);
    await supervised.start();
    await vi.waitFor(() => expect(giveUp).toHaveBeenCalledOnce(), { timeout: 30_000 });
  });

  test("that cannot be started fails the start", async () => {
    const given = plan(() => "exit 3", {
      untilReady: (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    });
    await expect(supervise(given).supervised.start()).rejects.toThrow("sh ended (code 3)");
    expect(given.starts()).toBe(1);
  });

  test("that does not listen is killed", async () => {
    const { supervised, giveUp } = supervise(plan(() => "trap '' TERM; while :; do sleep 1; done"));
    await supervised.start();
    // It would never end by itself.
    await supervised.stop();
    expect(giveUp).not.toHaveBeenCalled();
  });

  test("is replaced without counting that as an end", async () => {
    const given = plan(() => "exec sleep 60");
    const { supervised, giveUp } = supervise(given);
    await supervised.start();
    for (let times = 0; times < 7; times += 1) await supervised.replace();
    expect(given.starts()).toBe(8);
    expect(giveUp).not.toHaveBeenCalled();
  });
});
