import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PythonHost, readFixture, startPythonHost } from "./python-host.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

let host: PythonHost;
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
  host = await startPythonHost(upstream.host);
}, 120_000);

afterAll(async () => {
  await host.stop();
  await upstream.stop();
});

const source = readFixture("escapes");
const found = async (method: string, args: Record<string, unknown> = {}, hosts: string[] = []) => {
  const result = await host.call(source, method, args, { hosts });
  expect(result).toMatchObject({ ok: true });
  return (result as unknown as { value: Record<string, unknown> }).value;
};
const refused = expect.stringMatching(/^refused: /) as string;

describe("a Python plugin that wants out", { timeout: 60_000 }, () => {
  it("finds nothing of JavaScript", async () => {
    expect(await found("javascript")).toEqual({
      run_js: refused,
      constructor: refused,
      from_js: refused,
      globals_of_js: refused,
      core: refused,
      proxies: "[]",
    });
  });

  it("ends its own interpreter when it has C run a script, and the next call has a fresh one", async () => {
    const options = { fingerprint: "script" };
    expect(await host.call(source, "script", {}, options)).toMatchObject({
      ok: false,
      error: { code: "threw", name: "SystemError", message: expect.stringContaining("Python stopped") as string },
    });
    expect(await host.call(source, "machine", {}, options)).toMatchObject({ ok: true });
  });

  it("reaches no network without hosts, and no other host with some, whichever way it takes", async () => {
    const nothing = { requests: refused, socket: refused, pyxhr: refused, pyfetch: refused };
    expect(await found("network", { url: upstream.url })).toEqual(nothing);
    expect(await found("network", { url: upstream.url }, ["example.com"])).toEqual(nothing);
    expect(await found("network", { url: upstream.url }, [upstream.host])).toEqual({ ...nothing, requests: "200" });
  });

  it("sees nothing of the machine", async () => {
    const { environment, root, ...rest } = await found("machine");
    expect(rest).toEqual({ passwd: refused, processes: refused, shell: refused, fork: refused });
    expect(environment).not.toContain("PATH_TO_DATA");
    expect((environment as string[]).filter((name) => /KEY|TOKEN|SECRET|PARLEY|DB/.test(name))).toEqual([]);
    expect(root).not.toContain("root");
  });

  it("cannot use what another person's call is allowed, neither while it runs nor afterwards", async () => {
    const rights = { "user.get": { id: "victim" } };
    const [kept, during] = await Promise.all([
      host.call(source, "keep", {}, { rights }),
      host.call(source, "steal", {}, { rights }),
    ]);
    const after = await host.call(source, "steal", {}, { rights });
    const nothing = {
      by_emitter: refused,
      by_port: refused,
      by_request: refused,
      by_context: refused,
      without_checks: refused,
    };
    expect(during).toMatchObject({ ok: true, value: nothing });
    expect(after).toMatchObject({ ok: true, value: nothing });
    expect([kept.events, during.events, after.events]).toEqual([[], [], []]);
    expect([kept.requests, during.requests, after.requests]).toEqual([[], [], []]);
    expect(kept).toMatchObject({ ok: true, value: "kept" });
  });

  it("hurts itself only: too much memory, nesting, text or recursion", async () => {
    const fingerprint = "hurts itself";
    const call = (method: string) => host.call(source, method, {}, { fingerprint });
    expect(await call("fill")).toMatchObject({ ok: false, error: { code: "threw", name: "MemoryError" } });
    expect(await call("nest")).toMatchObject({ ok: false, error: { code: "threw" } });
    expect(await call("endless_text")).toMatchObject({ ok: false, error: { code: "output" } });
    expect(await call("recurse")).toMatchObject({ ok: false, error: { code: "threw", name: "RecursionError" } });
    expect(await call("machine")).toMatchObject({ ok: true });
  });

  it.each(["overwrite_memory", "leave_process", "take_builtins", "take_harness", "take_modules"])(
    "is there again for the next person, whatever it has broken: %s",
    async (method) => {
      const call = (name: string) => host.call(source, name, {}, { fingerprint: `damaged by ${method}` });
      await call(method);
      // What is broken may only be seen when it is used.
      await expect.poll(() => call("what_was_left"), { timeout: 20_000 }).toMatchObject({ ok: true, value: "nothing" });
      expect(await call("what_was_left")).toMatchObject({ ok: true, value: "nothing" });
    },
  );

  it("does nothing any more when its call is over, though it does not let go", async () => {
    const options = { fingerprint: "does not let go" };
    const signal = AbortSignal.timeout(1500);
    expect(await host.call(source, "stay", {}, { ...options, signal })).toMatchObject({ error: { code: "aborted" } });
    expect(await host.call(source, "leave_tasks", {}, options)).toMatchObject({ ok: true, value: "left" });
    expect(await host.call(source, "what_was_left", {}, options)).toMatchObject({ ok: true });
  });

  it("does not load where it waits for ever, or goes on for ever between waits; and keeps no other source waiting as long", async () => {
    const tools = "class Tools:\n    def a(self):\n        pass\n";
    const waiting = `import time\ntime.sleep(1000)\n${tools}`;
    const going = `import asyncio\nasync def go():\n    while True:\n        await asyncio.sleep(0)\nasyncio.run(go())\n${tools}`;
    const described = Promise.all([waiting, waiting, going, going].map((each) => host.describe(each)));
    const begin = performance.now();
    expect((await host.describe(tools)).info).toBeDefined();
    expect(performance.now() - begin).toBeLessThan(20_000);
    for (const { info, problems } of await described) {
      expect(info).toBeUndefined();
      expect(problems).toMatchObject([{ message: "Python stopped: it took longer than 25 seconds to load" }]);
    }
    const inUse = () => host.started.pool.processes.filter(({ sockets }) => sockets > 0).length;
    await expect.poll(inUse, { timeout: 30_000 }).toBe(0);
  });
});
