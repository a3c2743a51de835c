import { afterEach, describe, expect, it } from "vitest";
import { wallOf } from "../../../src/plugins/open-plugin.ts";
import { WarmIsolates } from "../../../workers/plugin-host/warm-isolates.ts";
import { callCode, type CallOptions, compile } from "../call-source.ts";
import { smuggle } from "./smuggle.ts";
import { type StartedHost, startHost } from "./start-host.ts";

let started: StartedHost | undefined;

afterEach(async () => {
  await started?.stop();
  started = undefined;
});

const limits = { cpuSeconds: 0.5, wallSeconds: 3, memory: 300e6 };
const wall = "trusted//ada";

const source = `export class Tools {
  fine(n: number) { return n }
  keep(text: string) { globalThis.kept = text; return "kept" }
  look() { return globalThis.kept ?? null }
  loop() { for (;;); }
  bytes() { const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1)) }
  async pure(ms: number) { globalThis.runs = (globalThis.runs ?? 0) + 1; await scheduler.wait(ms); return "pure" }
  began() { return globalThis.runs ?? 0 }
  async acting(ms: number, __event_emitter__) { await __event_emitter__({ type: "status" }); await scheduler.wait(ms); return "acted" }
  async flood(__event_emitter__) { for (let n = 0; n < 20_000; n++) await __event_emitter__({ n, text: "x".repeat(1000) }); return "flooded" }
  async say(count: number, __event_emitter__) { for (let n = 0; n < count; n++) await __event_emitter__({ n }); return "said" }
}`;

async function start(options: Parameters<typeof startHost>[0] = { limits }) {
  started = await startHost(options);
  const host = started;
  const code = await compile(host.host, source);
  const call = (plugin: string, method: string, args = {}, more: CallOptions = {}) =>
    callCode(host.host, code, method, args, { plugin, wall, fingerprint: "one", ...more });
  return { host, code, call };
}

/** Plugins by process. */
function places({ pool }: StartedHost): string[] {
  return pool.processes
    .map(({ plugins }) => [...plugins].toSorted().join(" "))
    .filter((text) => text.startsWith("tool/"))
    .toSorted();
}

describe("plugins of one owner", () => {
  it("share a process, and nobody else's are in it", async () => {
    const { host, call } = await start();
    for (const plugin of ["tool/a", "tool/b", "tool/c"])
      expect(await call(plugin, "fine", { n: 1 })).toMatchObject({ value: 1 });
    expect(await call("tool/d", "fine", { n: 1 }, { wall: "trusted//bob" })).toMatchObject({ value: 1 });
    expect(await call("tool/e", "fine", { n: 1 }, { wall: "other//ada/ada" })).toMatchObject({ value: 1 });
    expect(places(host)).toEqual(["tool/a tool/b tool/c", "tool/d", "tool/e"]);
  });

  it("never share with another owner, not even where all processes are busy", async () => {
    const { host, call } = await start({ limits, maxProcesses: 1 });
    const busy = call("tool/a", "pure", { ms: 1500 });
    await expect.poll(() => places(host)).toEqual(["tool/a"]);
    const other = call("tool/b", "pure", { ms: 500 }, { wall: "trusted//bob" });
    await expect.poll(() => places(host)).toEqual(["tool/a", "tool/b"]);
    expect(await call("tool/c", "fine", { n: 1 }, { wall: "trusted//cy" })).toMatchObject({ value: 1 });
    const all = host.pool.processes.map(
      ({ plugins }) => [...plugins].filter((name) => name.startsWith("tool/")).length,
    );
    expect(Math.max(...all)).toBe(1);
    expect(await Promise.all([busy, other])).toMatchObject([{ value: "pure" }, { value: "pure" }]);
  });

  it("are told apart by owner, organization and trust", () => {
    const entry = { isTrusted: true, organizationId: null, userId: "ada", maker: { id: "ada", name: "Ada" } };
    const walls = [
      entry,
      { ...entry, userId: "bob" },
      { ...entry, isTrusted: false },
      { ...entry, isTrusted: false, maker: { id: "bob", name: "Bob" } },
      { ...entry, organizationId: "harbour" },
    ].map(wallOf);
    expect(new Set(walls).size).toBe(walls.length);
    // Administrators who change each other's plugins are all trusted.
    expect(wallOf({ ...entry, maker: { id: "bob", name: "Bob" } })).toBe(walls[0]);
  });

  it("find nothing of each other: no globals, no prototypes, no bridge of another's call", async () => {
    const { host, call } = await start();
    expect(await call("tool/a", "keep", { text: "secret" })).toMatchObject({ value: "kept" });
    expect(await call("tool/b", "look")).toMatchObject({ value: null });
    expect(await call("tool/a", "look")).toMatchObject({ value: "secret" });
    const thief = await smuggle(
      host.host,
      `export class Tools {
        async keep(__event_emitter__) { globalThis.emit = __event_emitter__; Promise.prototype.then = () => { throw 1 }; return 1 }
        async look() { const workers = await import("cloudflare:workers"); return [typeof globalThis.emit, Object.keys(workers.env), Object.keys(workers.exports)] }
      }`,
    );
    const steal = (plugin: string, method: string) =>
      callCode(host.host, thief, method, {}, { plugin, wall, fingerprint: "thief" });
    await steal("tool/c", "keep");
    expect(await steal("tool/d", "look")).toMatchObject({ value: ["undefined", [], ["default"]] });
    expect(await call("tool/b", "say", { count: 2 })).toMatchObject({ value: "said", events: [{ n: 0 }, { n: 1 }] });
    expect(places(host)).toEqual(["tool/a tool/b tool/c tool/d"]);
  });

  it("do not slow down each other's events", async () => {
    const { call } = await start();
    await call("tool/b", "fine", { n: 1 });
    const abort = new AbortController();
    const flooding = call("tool/a", "flood", {}, { signal: abort.signal });
    const began = performance.now();
    const said = await call("tool/b", "say", { count: 20 });
    expect(said).toMatchObject({ value: "said" });
    expect(said.events).toHaveLength(20);
    // The flood is held to its own pace, 50 s for all of it.
    expect(performance.now() - began).toBeLessThan(25_000);
    abort.abort();
    expect((await flooding).ok).toBe(false);
  });
});

describe("a plugin that takes its process with it", () => {
  it.each(["loop", "bytes"])(
    "costs neighbours nothing that can be made again: %s",
    async (method) => {
      const { host, call } = await start();
      await Promise.all(["tool/bad", "tool/pure", "tool/acting"].map((plugin) => call(plugin, "fine", { n: 1 })));
      expect(places(host)).toEqual(["tool/acting tool/bad tool/pure"]);
      const begun = Promise.withResolvers<void>();
      const capabilities = { emit: async () => begun.resolve(), call: async () => null, request: async () => null };
      const acting = call("tool/acting", "acting", { ms: 4000 }, { capabilities });
      const pure = call("tool/pure", "pure", { ms: 4000 });
      // With a network nobody knows what it has done already.
      const networked = call("tool/net", "pure", { ms: 4000 }, { hosts: ["example.com"] });
      await begun.promise;
      // Else it would be made again, as one that has done nothing.
      const net = () => call("tool/net", "began", {}, { hosts: ["example.com"] });
      await expect.poll(net).toMatchObject({ value: 1 });
      expect(places(host)).toEqual(["tool/acting tool/bad tool/net tool/pure"]);
      const bad = call("tool/bad", method);
      expect(await acting).toMatchObject({
        error: {
          code: "stopped",
          message: expect.stringMatching(/another plugin.*had begun to act.*not repeated/) as string,
        },
      });
      expect(await networked).toMatchObject({ error: { code: "stopped" } });
      expect(await pure).toMatchObject({ ok: true, value: "pure" });
      expect(await bad).toMatchObject({
        error: { code: "stopped", message: expect.not.stringMatching(/another/) as string },
      });
      // It was found alone, so the others are no longer suspected and may share again.
      expect(await call("tool/pure", "fine", { n: 2 })).toMatchObject({ value: 2 });
      expect(await call("tool/acting", "fine", { n: 3 })).toMatchObject({ value: 3 });
      expect(places(host).some((place) => place.includes("bad") && place.includes(" "))).toBe(false);
    },
    60_000,
  );

  it("by crashing it: calls that did nothing yet are made again, each once", async () => {
    const { host, call } = await start({ limits: { ...limits, cpuSeconds: 5 } });
    await Promise.all(["tool/a", "tool/b"].map((plugin) => call(plugin, "fine", { n: 1 })));
    const kill = () => process.kill(host.pool.processes.find(({ plugins }) => plugins.has("tool/a"))!.pid!, "SIGKILL");
    const pure = [call("tool/a", "pure", { ms: 1500 }), call("tool/b", "pure", { ms: 1500 })];
    await expect.poll(() => host.pool.processes.find(({ plugins }) => plugins.has("tool/a"))?.sockets).toBe(2);
    kill();
    for (const result of await Promise.all(pure)) expect(result).toMatchObject({ ok: true, value: "pure" });
  }, 240_000);
});

const counting = `
class Tools:
    def __init__(self):
        self.count = 0
    def more(self) -> int:
        self.count += 1
        return self.count
    def reach(self) -> list:
        """What is there of others."""
        import builtins, os, sys
        found = [getattr(builtins, "left", None), os.path.exists("/tmp/left"), "left_module" in sys.modules, os.environ.get("LEFT")]
        builtins.left = "left"
        open("/tmp/left", "w").write("left")
        sys.modules["left_module"] = sys
        os.environ["LEFT"] = "left"
        return found
    def js(self) -> list:
        found = []
        for name in ("js", "pyodide_js", "workers", "cloudflare"):
            try:
                found.append(bool(__import__(name)))
            except ImportError:
                pass
        return found
    async def wait(self, __event_emitter__=None):
        await __event_emitter__({"type": "status", "data": {}})
        import asyncio
        await asyncio.sleep(2)
        return "waited"
`;

describe("Python plugins in one process", () => {
  const open = async (options: Parameters<typeof startHost>[0]) => {
    started = await startHost({ python: true, ...options });
    const { host } = started;
    return (plugin: string, method: string, more: CallOptions = {}) =>
      callCode(host, counting, method, {}, { plugin, wall, fingerprint: "py", language: "python", ...more });
  };

  it("share no modules, files, environment or built-ins", async () => {
    const call = await open({});
    for (const plugin of ["tool/a", "tool/b"])
      expect(await call(plugin, "reach")).toMatchObject({ value: [null, false, false, null] });
    expect(await call("tool/a", "reach")).toMatchObject({ value: ["left", true, true, "left"] });
    expect(await call("tool/a", "js")).toMatchObject({ value: [] });
    expect(places(started!)).toEqual(["tool/a tool/b"]);
  }, 240_000);

  it("make room for one another when there are many: the longest unused goes, none that a turn holds", async () => {
    const call = await open({ warmIsolates: 2 });
    const begun = Promise.withResolvers<void>();
    const capabilities = { emit: async () => begun.resolve(), call: async () => null, request: async () => null };
    expect(await call("tool/a", "more")).toMatchObject({ value: 1 });
    const held = call("tool/held", "wait", { capabilities });
    await begun.promise;
    expect(await call("tool/a", "more")).toMatchObject({ value: 2 });
    // Takes the place of `a`, though `held` was called earlier.
    expect(await call("tool/b", "more")).toMatchObject({ value: 1 });
    expect(await call("tool/b", "more")).toMatchObject({ value: 2 });
    expect(await held).toMatchObject({ value: "waited" });
    expect(await call("tool/a", "more")).toMatchObject({ value: 1 });
    expect(places(started!)).toEqual(["tool/a tool/b tool/held"]);
  }, 240_000);

  it("end when nobody has used them for a while, though others in the process are in use", async () => {
    const call = await open({ idleMs: 1500 });
    expect(await call("tool/a", "more")).toMatchObject({ value: 1 });
    const before = started!.pool.processes.find(({ plugins }) => plugins.has("tool/a"))?.pid;
    for (let n = 1; n < 4; n++) {
      const begun = Promise.withResolvers<void>();
      const capabilities = { emit: async () => begun.resolve(), call: async () => null, request: async () => null };
      expect(await call("tool/busy", "wait", { capabilities })).toMatchObject({ value: "waited" });
    }
    expect(await call("tool/a", "more")).toMatchObject({ value: 1 });
    expect(started!.pool.processes.find(({ plugins }) => plugins.has("tool/a"))?.pid).toBe(before);
  }, 240_000);
});

describe("the list of warm isolates", () => {
  it("ends the longest unused large ones, under the name that the loader knows, once", () => {
    const warm = new WarmIsolates();
    const ended: string[] = [];
    const end = (name: string) => ended.push(name);
    const leave = ["a", "b", "c", "small"].map((name) => warm.enter(name, name !== "small"));
    for (const name of ["a", "b", "c", "small"]) warm.made(name);
    warm.makeRoom(1, end);
    expect(ended).toEqual([]);
    for (const each of leave) each();
    leave[0]!();
    warm.makeRoom(3, end);
    expect(ended).toHaveLength(1);
    expect(warm.endUnused(60_000, end)).toBe(0);
    expect(warm.endUnused(0, end)).toBe(2);
    expect(ended.toSorted()).toEqual(["a\n0", "b\n0", "c\n0"]);
    expect([warm.isMade("a"), warm.isMade("small"), warm.generationOf("a")]).toEqual([false, true, 1]);
    warm.lost("a", 0);
    expect(warm.generationOf("a")).toBe(1);
  });
});
