import { spawnSync } from "node:child_process";
import { getPriority } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { callCode, compile } from "../call-source.ts";
import { smuggle } from "./smuggle.ts";
import { type StartedHost, startHost } from "./start-host.ts";

let started: StartedHost | undefined;

afterEach(async () => {
  await started?.stop();
  started = undefined;
});

const limits = { cpuSeconds: 0.5, wallSeconds: 3, memory: 300e6 };

const source = `export class Tools {
  loop() { for (;;); }
  async asyncLoop() { for (;;) await null }
  bytes() { const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1)) }
  texts() { const all = []; for (;;) all.push("text " + all.length) }
  regexp() { return /^(a+)+$/.test("a".repeat(100) + "b") }
  deep() { const down = (n) => down(n + 1) + 1; return down(0) }
  reject() { Promise.reject(new Error("nobody listens")); return 1 }
  later() { setTimeout(() => { throw new Error("later") }, 1); return 2 }
  fine(n: number) { return n }
  async slow() { await scheduler.wait(3000); return "slow" }
  toString() { throw new Error("no text") }
  async begin(__event_emitter__) { await __event_emitter__({}); await scheduler.wait(3000) }
  async noise() { for (let n = 0; ; n++) { Promise.reject(new Error("x".repeat(10_000))); console.error(n); if (n % 100 === 0) await scheduler.wait(0) } }
  hold() { globalThis.held = new Uint8Array(1.6e8).fill(1); return scheduler.wait(500).then(() => "held") }
}`;

/** Goes on when its call is over, though nobody waits for it. */
const leaving = `export class Tools {
  async leave() { const { waitUntil } = await import("cloudflare:workers"); waitUntil((async () => { await scheduler.wait(100); for (;;); })()); return "left" }
  async leavePolite() { const { waitUntil } = await import("cloudflare:workers"); waitUntil((async () => { for (;;) for (let n = (await scheduler.wait(0), 0); n < 1e7; n++); })()); return "left" }
  async leaveMemory() { const { waitUntil } = await import("cloudflare:workers"); const all = []; waitUntil((async () => { for (;;) { await scheduler.wait(1); all.push(new Uint8Array(1e7).fill(1)) } })()); return "left" }
}`;

async function start(
  options: Parameters<typeof startHost>[0] = { limits },
): Promise<{ host: StartedHost; code: string }> {
  started = await startHost(options);
  return { host: started, code: await compile(started.host, source) };
}

describe("a plugin that takes more than its share", () => {
  it.each(["loop", "asyncLoop", "bytes", "texts", "regexp"])(
    "is stopped: %s",
    async (method) => {
      const { host, code } = await start();
      const [stopped, other] = await Promise.all([
        callCode(host.host, code, method, {}, { plugin: "tool/bad" }),
        callCode(host.host, code, "slow", {}, { plugin: "tool/good" }),
      ]);
      expect(stopped).toMatchObject({ ok: false, error: { code: "stopped" } });
      // Another plugin's call under way meanwhile is not touched, and the same plugin runs again.
      expect(other).toMatchObject({ ok: true, value: "slow" });
      expect(await callCode(host.host, code, "fine", { n: 3 }, { plugin: "tool/bad" })).toMatchObject({ value: 3 });
    },
    60_000,
  );

  it("harms only its own call where it fails in other ways", async () => {
    const { host, code } = await start();
    const options = { plugin: "tool/bad", fingerprint: "same" };
    expect(await callCode(host.host, code, "deep", {}, options)).toMatchObject({
      error: { code: "threw", name: "RangeError" },
    });
    expect(await callCode(host.host, code, "reject", {}, options)).toMatchObject({ value: 1 });
    expect(await callCode(host.host, code, "later", {}, options)).toMatchObject({ value: 2 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await callCode(host.host, code, "fine", { n: 4 }, options)).toMatchObject({ value: 4 });
  });

  it("does not keep the launcher busy with its noise", async () => {
    const { host, code } = await start();
    const abort = new AbortController();
    const noisy = callCode(host.host, code, "noise", {}, { plugin: "tool/bad", signal: abort.signal });
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const { user, system } = process.cpuUsage(before);
    abort.abort();
    const { ok, logs } = await noisy;
    expect(ok).toBe(false);
    expect(logs.length).toBeLessThanOrEqual(1001);
    expect((user + system) / 1e6).toBeLessThan(1.5);
  });

  it("is left alone for a while when it had to be stopped again and again", async () => {
    const { host, code } = await start();
    for (let n = 0; n < 3; n++) {
      // One after another: of several at once some may find that the process has just been stopped, and stop the next.
      const result = await callCode(host.host, code, "loop", {}, { plugin: "tool/bad" });
      expect(result).toMatchObject({ error: { code: "stopped" } });
    }
    const result = await callCode(host.host, code, "fine", { n: 1 }, { plugin: "tool/bad" });
    expect(result).toMatchObject({ ok: false, error: { code: "paused", retryAfter: expect.any(Number) as number } });
    expect(await callCode(host.host, code, "fine", { n: 1 }, { plugin: "tool/good" })).toMatchObject({ ok: true });
  }, 240_000);

  it.each(["leave", "leavePolite", "leaveMemory"])(
    "is stopped when it goes on after its call, though nobody waits for it: %s",
    async (method) => {
      const { host } = await start();
      const code = await smuggle(host.host, leaving);
      const ids = () => host.pool.processes.filter(({ plugins }) => plugins.has("tool/bad")).map(({ pid }) => pid);
      expect(await callCode(host.host, code, method, {}, { plugin: "tool/bad" })).toMatchObject({ value: "left" });
      expect(ids()).toHaveLength(1);
      await expect.poll(ids, { timeout: 20_000 }).toEqual([]);
      const { problems } = await host.host.describe("export class Tools {}", []);
      expect(problems).toMatchObject([{ severity: "warning" }]);
    },
    30_000,
  );

  it("is a problem of no other source that is looked at meanwhile", async () => {
    const { host } = await start();
    const looping = "export class Tools { a() {} constructor() { for (;;); } }";
    const described = await Promise.all(
      [looping, source, looping, source, source].map((each) => host.host.describe(each, [])),
    );
    expect(described.map(({ info }) => info !== undefined)).toEqual([false, true, false, true, true]);
  });

  it("is paused alone, though it shared its process with others when it was stopped", async () => {
    const { host, code } = await start({ limits, maxProcesses: 1 });
    const call = (plugin: string, method = "fine") => callCode(host.host, code, method, { n: 1 }, { plugin });
    const begun = Promise.withResolvers<void>();
    const capabilities = { emit: async () => begun.resolve(), call: async () => null, request: async () => null };
    const sharing = callCode(host.host, code, "begin", {}, { plugin: "tool/good", capabilities });
    await begun.promise;
    expect(await call("tool/bad", "loop")).toMatchObject({ error: { code: "stopped" } });
    expect(await sharing).toMatchObject({ error: { code: "stopped" } });
    for (let n = 0; n < 3; n++) {
      // From now on neither of them has company.
      const [good, bad] = await Promise.all([call("tool/good", "slow"), call("tool/bad", "loop")]);
      expect([good, bad]).toMatchObject([{ value: "slow" }, { error: { code: "stopped" } }]);
    }
    expect(await call("tool/bad")).toMatchObject({ error: { code: "paused" } });
    expect(await call("tool/good")).toMatchObject({ value: 1 });
  }, 240_000);

  it("is a problem of its source where it loops while it loads", async () => {
    const { host } = await start();
    const looping = "export class Tools { a() {} constructor() { for (;;); } }";
    const { info, problems } = await host.host.describe(looping, []);
    expect(info).toBeUndefined();
    expect(problems).toMatchObject([{ severity: "error", message: expect.stringMatching(/stopped/) as string }]);
    expect((await host.host.describe(source, [])).info).toBeDefined();
  });
});

describe("the processes", () => {
  it("start when they are needed, one for each plugin and a spare, at low priority", async () => {
    started = await startHost({ limits });
    expect(started.pool.processes).toEqual([]);
    const code = await compile(started.host, source);
    await callCode(started.host, code, "fine", { n: 1 }, { plugin: "tool/a" });
    const mine = () => started!.pool.processes.map(({ plugins }) => [...plugins]);
    await expect.poll(() => mine().toSorted(), { timeout: 30_000 }).toEqual([[], ["describe 1"], ["tool/a"]]);
    const [process] = started.pool.processes;
    const { stdout } = spawnSync("ps", ["-o", "ni=", "-p", String(process?.pid)], { encoding: "utf8" });
    expect(Number(stdout) - getPriority()).toBe(10);
  });

  it("are ended for others when there are too many, and shared when all are busy", async () => {
    const { host, code } = await start({ limits, maxProcesses: 2 });
    const call = (plugin: string, method = "fine") => callCode(host.host, code, method, { n: 1 }, { plugin });
    for (const plugin of ["tool/a", "tool/b", "tool/c"]) expect(await call(plugin)).toMatchObject({ ok: true });
    expect(
      host.pool.processes.filter(({ plugins, isEnding }) => plugins.size > 0 && !isEnding).length,
    ).toBeLessThanOrEqual(3);
    const busy = [call("tool/d", "slow"), call("tool/e", "slow")];
    await expect.poll(() => host.pool.processes.filter(({ sockets }) => sockets > 0).length).toBe(2);
    expect(await call("tool/f")).toMatchObject({ ok: true });
    for (const result of await Promise.all(busy)) expect(result).toMatchObject({ ok: true, value: "slow" });
  });

  it("are renewed before the isolates of old versions fill them, without breaking off a call", async () => {
    const { host, code } = await start({ limits: { ...limits, memory: 1500e6 } });
    const results = await Promise.all(
      ["a", "b", "c"].map(async (fingerprint, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 300));
        return callCode(host.host, code, "hold", {}, { plugin: "tool/a", fingerprint });
      }),
    );
    for (const result of results) expect(result).toMatchObject({ ok: true, value: "held" });
    const serving = () => host.pool.processes.filter(({ plugins }) => plugins.has("tool/a")).map(({ pid }) => pid);
    const before = serving();
    expect(await callCode(host.host, code, "fine", { n: 1 }, { plugin: "tool/a" })).toMatchObject({ ok: true });
    await expect.poll(serving).not.toEqual(before);
  });

  it("end when nobody has used them for a while, the spare too", async () => {
    const { host, code } = await start({ limits, idleMs: 500 });
    expect(await callCode(host.host, code, "fine", { n: 1 })).toMatchObject({ ok: true });
    await expect.poll(() => host.pool.processes.length, { timeout: 15_000 }).toBe(0);
    expect(await callCode(host.host, code, "fine", { n: 1 })).toMatchObject({ ok: true });
  });

  it("make room for new ones when the host is built anew: calls under way say that it went away", async () => {
    const { host, code } = await start();
    const begun = Promise.withResolvers<void>();
    const capabilities = { emit: async () => begun.resolve(), call: async () => null, request: async () => null };
    const under = callCode(host.host, code, "begin", {}, { plugin: "tool/a", capabilities });
    await begun.promise;
    host.pool.renew();
    expect(await under).toMatchObject({ ok: false, error: { code: "unavailable" } });
    expect(await callCode(host.host, code, "fine", { n: 1 }, { plugin: "tool/a" })).toMatchObject({ ok: true });
  });
});
