import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { jobHandlers } from "../../src/compose/job-handlers.ts";
import { addJobStatement } from "../../src/jobs/add-job.ts";
import { claimJob } from "../../src/jobs/claim-job.ts";
import { JobFailure } from "../../src/jobs/job-failure.ts";
import type { JobHandler } from "../../src/jobs/job-handler.ts";
import { jobLimits, leaseMs, maxAttempts } from "../../src/jobs/limits.ts";
import { runJobs } from "../../src/jobs/run-jobs.ts";
import { sweepJobs } from "../../src/jobs/sweep-jobs.ts";
import type { JobKind } from "../../src/jobs/tables.ts";
import { createMemoryJobs } from "../memory-jobs.ts";
import { createWorld, type World } from "../world.ts";

let world: World;
const jobs = createMemoryJobs();
beforeEach(async () => {
  world = await createWorld({ services: { jobs } });
  jobs.woken.length = 0;
  jobs.later.length = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await world.close();
});

const hour = 3_600_000;
async function add(
  subject: string,
  userId: string | null = "ada",
  kind: JobKind = "extract",
  deadline = Date.now() + hour,
) {
  await world.db.batch([addJobStatement(world.services, { kind, subject, userId, deadline })]);
}
const rows = async () =>
  (await world.client.execute("SELECT subject, attempts, lease, due_at, turn FROM jobs ORDER BY turn, id")).rows;
const claim = async (kind: JobKind = "extract") => (await claimJob(world.services, kind))?.subject;
function does(run: JobHandler["run"]) {
  return vi.spyOn(jobHandlers.extract, "run").mockImplementation(run);
}
/** Moves the clock that leases and pauses go by. */
function later(milliseconds: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
}

describe("who is next", () => {
  it("is everybody in turn, however many jobs one has", async () => {
    for (const name of ["a1", "a2", "a3", "a4"]) await add(name, "ada");
    await add("b1", "bob");
    const order: string[] = [];
    for (
      let taken = await claimJob(world.services, "extract");
      taken;
      taken = await claimJob(world.services, "extract")
    ) {
      order.push(taken.subject);
      await world.client.execute({ sql: "DELETE FROM jobs WHERE id = ?", args: [taken.id] });
      if (order.length === 2) await add("c1", "cyd");
    }
    expect(order).toEqual(["a1", "b1", "a2", "c1", "a3", "a4"]);
  });

  it("is somebody with one job among the next two, when another has 300 waiting", async () => {
    for (let n = 0; n < 300; n++) await add(`a${n}`, "ada");
    // As many of hers are under way as may be.
    const { person } = jobLimits.extract;
    for (let n = 0; n < person; n++) expect(await claim()).toBe(`a${n}`);
    await add("b", "bob");
    expect(await claim()).toBe("b");
    // The same where places are free.
    await world.client.execute("DELETE FROM jobs WHERE lease IS NOT NULL");
    expect(await claim()).toBe("a3");
    await add("c", "cyd");
    expect([await claim(), await claim()]).toContain("c");
  });

  it("is not kept waiting by those who come later, one after the other", async () => {
    for (let n = 0; n < 4; n++) await add(`a${n}`, "ada");
    const order: string[] = [];
    for (let n = 0; n < 16; n++) {
      await add(`new${n}`, `person${n}`);
      const taken = (await claimJob(world.services, "extract"))!;
      order.push(taken.subject);
      await world.client.execute({ sql: "DELETE FROM jobs WHERE id = ?", args: [taken.id] });
    }
    expect(order.filter((subject) => subject.startsWith("a"))).toEqual(["a0", "a1", "a2", "a3"]);
  });

  it("is not somebody whose jobs fail and come again, before others have had a turn", async () => {
    does(async () => {
      throw new JobFailure("embedding_failed", "Too many requests", { retryAfter: 0 });
    });
    for (let n = 0; n < 6; n++) await add(`a${n}`, "ada");
    const run = vi.spyOn(jobHandlers.extract, "run");
    let rounds = 0;
    run.mockImplementation(async () => {
      // Then nothing is due, and the round ends.
      if (++rounds === 6) await world.client.execute(`UPDATE jobs SET due_at = ${Date.now() + hour}`);
      throw new JobFailure("embedding_failed", "Too many requests", { retryAfter: 0 });
    });
    await runJobs(world.services, "extract");
    await add("b", "bob");
    await world.client.execute("UPDATE jobs SET due_at = 0");
    expect([await claim(), await claim()]).toContain("b");
  });

  it("is not somebody who asks for the same again and again", async () => {
    await add("a", "ada");
    expect(await claim()).toBe("a");
    await add("b", "bob");
    const order: (string | undefined)[] = [];
    for (let n = 0; n < 3; n++) {
      await add("a", "ada");
      order.push(await claim());
    }
    expect(order).toEqual(["a", "b", "a"]);
  });

  it("is nobody above the limits, of all and of one person", async () => {
    const { all, person } = jobLimits.extract;
    for (let n = 0; n < all + 2; n++) await add(`a${n}`, "ada");
    for (let n = 0; n < all + 2; n++) await add(`b${n}`, "bob");
    const taken: (string | undefined)[] = [];
    for (let n = 0; n < all + 1; n++) taken.push(await claim());
    expect(taken.filter((each) => each?.startsWith("a")).length).toBeLessThanOrEqual(person);
    expect(taken.filter((each) => each !== undefined)).toHaveLength(all);
    expect(await claim("embed")).toBeUndefined();
  });

  it("is one only, whoever asks at the same time", async () => {
    await add("a");
    const taken = await Promise.all(Array.from({ length: 6 }, () => claim()));
    expect(taken.filter((each) => each !== undefined)).toEqual(["a"]);
  });

  it("is again what nobody gives a sign of life of", async () => {
    await add("a");
    expect(await claim()).toBe("a");
    expect(await claim()).toBeUndefined();
    later(leaseMs + 1);
    expect(await claim()).toBe("a");
    expect(await rows()).toMatchObject([{ attempts: 2 }]);
  });
});

describe("a job", () => {
  it("is gone when it is done", async () => {
    does(async () => undefined);
    await add("a");
    await add("b", "bob");
    await runJobs(world.services, "extract");
    expect(await rows()).toEqual([]);
  });

  it("begins anew when it is promised again meanwhile, and whoever was at it stops", async () => {
    const ended: boolean[] = [];
    const run = does(async (_services, job, { signal }) => {
      if (run.mock.calls.length > 1) return;
      await add(job.subject);
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      ended.push(true);
      throw new Error("ended");
    });
    await add("a");
    await runJobs(world.services, "extract");
    expect([run.mock.calls.length, ended]).toEqual([2, [true]]);
    expect(await rows()).toEqual([]);
  });

  it("is tried again when others are at fault, until its deadline", async () => {
    const failed = vi.spyOn(jobHandlers.extract, "failed").mockReturnValue([]);
    const run = does(async () => {
      throw new JobFailure("embedding_failed", "Too many requests", { retryAfter: 3 });
    });
    await add("a", "ada", "extract", Date.now() + 100_000);
    for (let n = 1; n <= maxAttempts + 3; n++) {
      await runJobs(world.services, "extract");
      expect(run).toHaveBeenCalledTimes(n);
      const [row] = await rows();
      expect(Number(row!["due_at"]) - Date.now()).toBeGreaterThan(2000);
      later(4000);
    }
    expect(jobs.later).toHaveLength(maxAttempts + 3);
    expect(failed).not.toHaveBeenCalled();
    later(100_000);
    await runJobs(world.services, "extract");
    await sweepJobs(world.services);
    expect(failed.mock.calls[0]![2]).toMatchObject({ code: "file_timeout" });
    expect(await rows()).toEqual([]);
  });

  it("fails at once for what cannot get better", async () => {
    const failed = vi.spyOn(jobHandlers.extract, "failed").mockReturnValue([]);
    does(async () => {
      throw new JobFailure("file_encrypted", "It asks for a password", { final: true });
    });
    await add("a");
    await runJobs(world.services, "extract");
    expect(failed.mock.calls[0]![2]).toEqual({ code: "file_encrypted", message: "It asks for a password" });
    expect(await rows()).toEqual([]);
  });

  it("fails in the end when it breaks, or its runner dies, again and again", async () => {
    const failed = vi.spyOn(jobHandlers.extract, "failed").mockReturnValue([]);
    const run = does(async () => {
      throw new Error("broken");
    });
    await add("a");
    for (let n = 0; n < maxAttempts; n++) {
      await runJobs(world.services, "extract");
      later(120_000);
    }
    expect(run).toHaveBeenCalledTimes(maxAttempts);
    expect(failed.mock.calls[0]![2]).toMatchObject({ code: "internal_error" });
    expect(world.logged.filter(({ level }) => level === "error")).toHaveLength(maxAttempts);
    await add("b");
    for (let n = 0; n < maxAttempts; n++) {
      expect(await claim()).toBe("b");
      later(leaseMs + 1);
    }
    await runJobs(world.services, "extract");
    expect(failed).toHaveBeenCalledTimes(2);
    expect(await rows()).toEqual([]);
  });

  it("says that it is alive and how far it is, and forgets attempts when that stays", async () => {
    await add("a");
    const seen: unknown[] = [];
    does(async ({ db }, job, run) => {
      run.progress([db.run("UPDATE jobs SET deadline = deadline + 1")], true);
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        const { rows: found } = await world.client.execute("SELECT deadline, attempts, lease_until FROM jobs");
        if (Number(found[0]!["deadline"]) === job.deadline + 1) {
          seen.push(found[0]!["attempts"], Number(found[0]!["lease_until"]) > Date.now() + leaseMs - 5000);
          return;
        }
      }
    });
    await runJobs(world.services, "extract");
    expect(seen).toEqual([0, true]);
  });
});

describe("the sweeper", () => {
  it("tells of what nobody was told of", async () => {
    await add("a");
    await add("b", "bob");
    await add("c", "cyd", "embed");
    await sweepJobs(world.services);
    expect(jobs.woken.toSorted()).toEqual(["embed", "extract", "extract"]);
    await claim();
    await claim();
    jobs.woken.length = 0;
    await sweepJobs(world.services);
    expect(jobs.woken).toEqual(["embed"]);
    // Who is at it may be dead by then.
    expect(jobs.later).toEqual(["extract", "extract"]);
    later(leaseMs + 1);
    await sweepJobs(world.services);
    expect(jobs.woken.toSorted()).toEqual(["embed", "embed", "extract", "extract"]);
  });

  it("ends what is too late, also while somebody is at it", async () => {
    const failed = vi.spyOn(jobHandlers.extract, "failed").mockReturnValue([]);
    await add("a", "ada", "extract", Date.now() + 5000);
    await claim();
    await sweepJobs(world.services);
    expect(failed).not.toHaveBeenCalled();
    later(5001);
    await sweepJobs(world.services);
    expect(failed.mock.calls[0]![2]).toMatchObject({ code: "file_timeout" });
    expect(await rows()).toEqual([]);
  });
});
