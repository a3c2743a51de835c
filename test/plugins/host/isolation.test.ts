import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCode, type CallOptions, compile } from "../call-source.ts";
import { smuggle } from "./smuggle.ts";
import { type StartedHost, startHost } from "./start-host.ts";

let started: StartedHost;
let web: Server;
let port: number;
const visited: string[] = [];

beforeAll(async () => {
  web = createServer((request, response) => {
    visited.push(`${request.headers.host}${request.url}`);
    if (request.url === "/redirect") response.writeHead(302, { location: `http://localhost:${port}/secret` }).end();
    else response.end(`served ${request.url}`);
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  port = (web.address() as { port: number }).port;
  started = await startHost({ allowedPrivateHosts: `127.0.0.1:${port},localhost:${port}` });
}, 240_000);

afterAll(async () => {
  await started.stop();
  web.close();
});

/** Runs statements in an isolate; their value, or the words of what they threw. */
async function run(statements: string, options: CallOptions = {}): Promise<unknown> {
  const source = `export class Tools { async go(__event_emitter__, __user__) { ${statements} } }`;
  const result = await callCode(started.host, await smuggle(started.host, source), "go", {}, options);
  return result.ok ? result.value : `${result.error.code}: ${result.error.message}`;
}

describe("a plugin without hosts", () => {
  it.each([
    `return (await fetch("http://example.com")).status`,
    `return (await fetch("http://127.0.0.1")).status`,
    `return new WebSocket("ws://example.com").readyState`,
    `return await new Promise((resolve, reject) => { const events = new EventSource("http://example.com"); events.onopen = resolve; events.onerror = reject })`,
    `const { connect } = await import("cloudflare:sockets"); await connect("127.0.0.1:${process.pid}").opened; return "open"`,
    `return await caches.default.match("http://example.com")`,
  ])("reaches no network: %s", async (statements) => {
    expect(await run(statements)).toMatch(/^threw: /);
  });

  it("is told so in words", async () => {
    expect(await run(`await fetch("http://example.com")`)).toBe(
      "threw: This plugin has no allowed hosts: an administrator can add some",
    );
  });

  it.each([
    `return eval("1 + 1")`,
    `return new Function("return 1")()`,
    `return (() => {}).constructor("return 1")()`,
    `return (async () => {}).constructor("return 1")()`,
    `return new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))`,
    `return Object.keys(await import("data:text/javascript,export default 1"))`,
    `return Object.keys(await import(["node", "fs"].join(":")))`,
    `return Object.keys(await import("../host-session.js"))`,
    `return process.env`,
    `return require("fs")`,
    `return Deno.env`,
    `return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
  ])("gets no way to run or load other code: %s", async (statements) => {
    expect(await run(statements)).toMatch(/^threw: /);
  });

  it("finds nothing in its environment, and no doors but its own", async () => {
    const statements = `const workers = await import("cloudflare:workers");
      const { env } = await import(["node", "process"].join(":"));
      return [workers.env, Object.keys(workers.exports), env, typeof process, typeof require, typeof LOADER]`;
    expect(await run(statements)).toEqual([{}, ["default"], {}, "undefined", "undefined", "undefined"]);
  });

  it("does not reach the isolate of another plugin, nor its own with other valves", async () => {
    await run(`globalThis.secret = "mine"; return 1`, { plugin: "tool/first", fingerprint: "a" });
    for (const [plugin, fingerprint] of [
      ["tool/second", "a"],
      ["tool/first", "b"],
    ]) {
      expect(await run(`return typeof globalThis.secret`, { plugin: plugin!, fingerprint: fingerprint! })).toBe(
        "undefined",
      );
    }
  });
});

describe("a plugin that may call every public address", () => {
  it("reaches no private one, not even those that the service itself may reach", async () => {
    const options = { hosts: ["*"] };
    const before = visited.length;
    expect(await run(`await fetch("http://127.0.0.1:${port}/private")`, options)).toBe(
      `threw: This plugin is not allowed to reach 127.0.0.1:${port}`,
    );
    for (const address of ["http://127.0.0.2/", "http://10.0.0.1:8080/", "http://[::1]/", "http://169.254.169.254/"])
      expect(await run(`await fetch("${address}")`, options)).toContain(
        "is not a public address. The operator of the service can allow it with OUTBOUND_ALLOWED_PRIVATE_HOSTS",
      );
    expect(visited.length).toBe(before);
    // Nobody has this name; the way there was open.
    expect(await run(`await fetch("https://nowhere.example:8443/")`, options)).toBe(
      "threw: nowhere.example:8443 cannot be reached",
    );
    expect(
      await run(`return (await fetch("http://127.0.0.1:${port}/named")).status`, {
        hosts: ["*", `127.0.0.1:${port}`],
      }),
    ).toBe(200);
  });
});

describe("what a plugin does to its own world", () => {
  it("does not pollute the common prototype, not even with what people send", async () => {
    const source = `export class Tools {
      merge(target, given) { for (const [key, value] of Object.entries(given)) Object.assign(target[key] ?? (target[key] = {}), value); return 1 }
      own() { Object.prototype.isAdmin = true }
      look() { return [({}).isAdmin, Object.prototype.isAdmin] }
    }`;
    const code = await compile(started.host, source);
    const call = (method: string, args = {}) =>
      callCode(started.host, code, method, args, { fingerprint: "pollution" });
    const given = JSON.parse('{"__proto__": {"isAdmin": true}}') as object;
    await call("merge", { target: {}, given });
    expect(await call("own")).toMatchObject({ ok: false, error: { name: "TypeError" } });
    expect(await call("look")).toMatchObject({ ok: true, value: [null, null] });
  });

  it.each([
    `Promise.prototype.then = () => { throw 1 }`,
    `JSON.stringify = () => ({ toString() { return "x" } }); JSON.parse = () => ({ method: "other" })`,
    `Array.prototype.map = Array.prototype[Symbol.iterator] = Object.entries = Object.fromEntries = () => { throw 1 }`,
    `Object.hasOwn = () => true; Object.keys = () => ["x"]`,
    `globalThis.Response = globalThis.ReadableStream = undefined`,
    `Error.prepareStackTrace = () => { throw 1 }; Object.defineProperty(Error.prototype, "message", { get() { throw 1 } })`,
    `globalThis.console = undefined`,
  ])("harms nobody else: %s", async (statements) => {
    const plugin = "tool/vandal";
    await run(`${statements}; return 1`, { plugin, fingerprint: "vandal" });
    // The same process, another isolate.
    expect(
      await run(`await __event_emitter__({ a: 1 }); return __user__`, {
        plugin,
        reserved: { __user__: [1, { a: "b" }] },
      }),
    ).toEqual([1, { a: "b" }]);
  });

  it("lets it end its own isolate, which comes back", async () => {
    const options = { plugin: "tool/ending", fingerprint: "x" };
    const code = await smuggle(
      started.host,
      `export class Tools { async end() { (await import("cloudflare:workers")).abortIsolate("enough") } one() { return 1 } }`,
    );
    expect(await callCode(started.host, code, "end", {}, options)).toMatchObject({ ok: false });
    expect(await callCode(started.host, code, "one", {}, options)).toMatchObject({ ok: true, value: 1 });
  });

  it("takes nothing from it that is not JSON", async () => {
    expect(
      await run(
        `return { f() {}, then: 1, date: new Date(0), map: new Map([[1, 2]]), bytes: new Uint8Array(2), gone: undefined }`,
      ),
    ).toEqual({
      then: 1,
      date: "1970-01-01T00:00:00.000Z",
      map: {},
      bytes: { 0: 0, 1: 0 },
    });
    expect(await run(`return { get a() { throw new Error("getter") } }`)).toMatch(/threw: .*getter/);
    expect(await run(`return "\\ud800"`)).toBe("\ud800");
  });

  it("forgets a call that was stopped: what comes later is refused", async () => {
    const code = await compile(
      started.host,
      `let late; export class Tools {
        async emitLate(__event_emitter__, __signal__) {
          await __event_emitter__({ n: 1 }).catch(() => undefined);
          if (!__signal__.aborted) await new Promise((resolve) => __signal__.addEventListener("abort", resolve));
          late = await __event_emitter__({ n: 2 }).then(() => "sent", (error) => error.message);
        }
        late() { return late ?? null }
      }`,
    );
    const load = () => Promise.resolve({ code, valves: {}, packages: [] });
    const session = started.host.open({
      plugin: "tool/late",
      fingerprint: "x",
      language: "javascript",
      hosts: [],
      load,
    });
    const abort = new AbortController();
    const events: unknown[] = [];
    const capabilities = {
      emit: async (event: unknown) => {
        events.push(event);
        abort.abort();
      },
      call: async () => null,
      request: async () => null,
    };
    const call = { args: {}, reserved: {}, capabilities, timeoutMs: 10_000 };
    expect(await session.call({ ...call, method: "emitLate", signal: abort.signal })).toMatchObject({ ok: false });
    const ask = () => session.call({ ...call, method: "late", signal: new AbortController().signal });
    await expect.poll(ask).toMatchObject({ value: "The call has ended" });
    expect(events).toEqual([{ n: 1 }]);
    session.close();
  });
});

describe("a plugin with hosts", () => {
  const get = (url: string, hosts: string[]) =>
    run(
      `const response = await fetch(${JSON.stringify(url)}); return response.status + " " + (await response.text())`,
      { hosts },
    );

  it("reaches those of its list, and no others", async () => {
    const here = [`127.0.0.1:${port}`];
    expect(await get(`http://127.0.0.1:${port}/a`, here)).toBe("200 served /a");
    expect(await get(`http://localhost:${port}/b`, here)).toBe(
      `threw: This plugin is not allowed to reach localhost:${port}`,
    );
    expect(await get(`http://127.0.0.1:${port}/c`, ["127.0.0.1"])).toBe(
      `threw: This plugin is not allowed to reach 127.0.0.1:${port}`,
    );
    expect(await get("https://example.com", ["*.example.com"])).toBe(
      "threw: This plugin is not allowed to reach example.com",
    );
    expect(visited).not.toContain(`localhost:${port}/b`);
  });

  it("does not leave its list by a redirect", async () => {
    expect(await get(`http://127.0.0.1:${port}/redirect`, [`127.0.0.1:${port}`])).toBe(
      `threw: This plugin is not allowed to reach localhost:${port}`,
    );
    expect(visited.some((each) => each.endsWith("/secret"))).toBe(false);
    expect(await get(`http://127.0.0.1:${port}/redirect`, [`127.0.0.1:${port}`, `localhost:${port}`])).toBe(
      "200 served /secret",
    );
  });

  it("reaches no private address that the environment does not list, whatever its own list says", async () => {
    for (const host of ["169.254.169.254", "10.0.0.1", "127.0.0.1:1", "[::1]", "localhost"]) {
      expect(await get(`http://${host}/`, [host])).toMatch(/is not a public address\. The operator/);
    }
  });

  it("has no raw sockets", async () => {
    const statements = `const { connect } = await import("cloudflare:sockets"); await connect("127.0.0.1:${port}").opened; return "open"`;
    expect(await run(statements, { hosts: [`127.0.0.1:${port}`] })).toMatch(/^threw: /);
  });
});
