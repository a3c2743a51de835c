import process from "node:process";
import { afterEach, expect, test } from "vitest";
import { ensureWorker } from "../../../scripts/launch/build.ts";
import { passwords } from "../../../scripts/launch/on-demand/host.ts";
import { passwordsWorker } from "../../../scripts/launch/topology.ts";
import { readUsage } from "../../../scripts/launch/workerd/process-usage.ts";
import { passwordCostOf } from "../../../src/people/auth/passwords/cost.ts";
import { scrypt } from "../../../src/people/auth/passwords/scrypt.ts";
import { createPasswordChecks } from "../../../workers/ports/passwords-client.ts";
import { type StartedOnDemand, startOnDemand } from "../../fixtures/start-on-demand.ts";

const password = new TextEncoder().encode("correct horse battery staple");
const salt = new Uint8Array(16).fill(7);
const cost = { ln: 10, r: 8, p: 1 };
const expected = async (dear: Partial<typeof cost> = {}) =>
  new Uint8Array(await scrypt(password, salt, { ...cost, ...dear }));
const right = await expected();

let started: StartedOnDemand;
afterEach(() => started.stop());

const start = async (rules: { idleMs?: number } = {}) =>
  (started = await startOnDemand({ ...passwords, ...rules }, () => ensureWorker(passwordsWorker)));
const hash = (dear: Partial<typeof cost> = {}) =>
  createPasswordChecks({ PASSWORDS: started.fetcher as never }).scrypt(password, salt, { ...cost, ...dear });
const pids = () => started.pool.processes.map(({ pid }) => pid);

test("nothing runs before the first hash; many first ones at once share one process", async () => {
  await start();
  expect(pids()).toEqual([]);
  const hashes = Array.from({ length: 10 }, () => hash());
  await Promise.race(hashes);
  const first = pids();
  expect(first).toHaveLength(1);
  expect(await Promise.all(hashes)).toEqual(hashes.map(() => right));
  expect(await hash()).toEqual(right);
  expect(pids()).toEqual(first);
});

test("it ends when nobody needs it, and the next hash starts another one", async () => {
  await start({ idleMs: 50 });
  expect(await hash()).toEqual(right);
  const [only] = started.pool.processes;
  // Undefined: it was told to end.
  await expect(only?.ended).resolves.toBeUndefined();
  expect(pids()).toEqual([]);
  expect(await hash()).toEqual(right);
});

test("a hash that takes longer than the idle time comes to its end", async () => {
  await start({ idleMs: 1 });
  const dear = { ln: 14, p: 5 };
  expect(await hash(dear)).toEqual(await expected(dear));
});

test.each([10, 14, 15, 16])("the runtime hashes at a cost of %i, as Node does", async (ln) => {
  await start();
  expect(await hash(passwordCostOf(ln))).toEqual(await expected(passwordCostOf(ln)));
});

test("what comes at the moment of its end has another process", async () => {
  await start({ idleMs: 50 });
  await hash();
  const ending = started.pool.processes[0]!;
  const end = ending.stop.bind(ending);
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  ending.stop = () => {
    end();
    resolve(hash());
  };
  expect(await promise).toEqual(right);
  expect(pids()).not.toContain(ending.pid);
});

test("killed while it hashes, it says so; those that wait have another process", async () => {
  await start();
  await hash();
  const [pid] = pids();
  const dear = { ln: 14, p: 5 };
  const before = (await readUsage(pid!))!.cpu!;
  const hashes = Promise.allSettled(Array.from({ length: 5 }, () => hash(dear)));
  await expect.poll(async () => (await readUsage(pid!))!.cpu! - before, { interval: 5 }).toBeGreaterThan(0.03);
  process.kill(pid!, "SIGKILL");
  const ends = await hashes;
  const lost = ends.filter(({ status }) => status === "rejected");
  expect(lost).toMatchObject([{ reason: { code: "passwords_unavailable" } }]);
  const value = await expected(dear);
  expect(ends.filter((end) => !lost.includes(end))).toEqual(
    Array.from({ length: 4 }, () => ({ status: "fulfilled", value })),
  );
  expect(pids()).not.toContain(pid);
});

test("a caller that goes away does not cost the next one a start", async () => {
  await start();
  await hash();
  const before = pids();
  const leaver = new AbortController();
  const left = started.fetcher.fetch("http://passwords/scrypt", {
    method: "POST",
    headers: { "x-options": JSON.stringify({ salt: "AAAA", cost: { ln: 14, r: 8, p: 5 } }) },
    body: password,
    signal: leaver.signal,
  });
  const cpu = async () => (await readUsage(before[0]!))!.cpu!;
  const begun = await cpu();
  await expect.poll(async () => (await cpu()) - begun, { interval: 5 }).toBeGreaterThan(0.03);
  leaver.abort();
  await expect(left).rejects.toThrow();
  expect(await hash()).toEqual(right);
  expect(pids()).toEqual(before);
});
