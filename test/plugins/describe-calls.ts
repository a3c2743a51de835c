import { expect, it } from "vitest";
import type { PluginHost } from "../../src/plugins/plugin-host.ts";
import { callCode, type CallOptions, compile, weather } from "./call-source.ts";

/**
 * What calls of JavaScript plugins are like, wherever they run.
 * @param limit a time limit that the start of an isolate keeps, in ms
 */
export function describeCalls(getHost: () => PluginHost, limit: number): void {
  const callSource = async (source: string, method: string, args = {}, options: CallOptions = {}) =>
    callCode(getHost(), await compile(getHost(), source), method, args, options);

  it("passes arguments by name, reserved ones only from the service", async () => {
    const args = { days: 2, city: "Oslo", __user__: { name: "forged" } };
    expect(await callSource(weather, "today", args)).toMatchObject({
      ok: true,
      value: "Oslo 2 undefined daily metric",
    });
    const reserved = { __user__: { name: "Ada" } };
    const valves = { units: "imperial" };
    const result = await callSource(weather, "today", args, { reserved, valves });
    expect(result).toMatchObject({ ok: true, value: "Oslo 2 Ada daily imperial", streamed: false, logs: [] });
    expect(await callSource(weather, "nested", { place: { city: "Rome" } })).toMatchObject({
      value: ["Rome", ["a"], "function"],
    });
    const all = "export default class Tools { all({ city, ...rest }) { return { city, rest } } }";
    expect(await callSource(all, "all", args)).toMatchObject({ value: { city: "Oslo", rest: { days: 2 } } });
    expect(JSON.stringify(await callSource(all, "all", args))).not.toContain("forged");
  });

  it("lets a hook name its argument as it likes", async () => {
    const source = "export class Filter { inlet(request, __user__) { return { ...request, by: __user__ } } }";
    expect(await callSource(source, "inlet", { body: { a: 1 } }, { reserved: { __user__: 7 } })).toMatchObject({
      value: { a: 1, by: 7 },
    });
  });

  it("streams generators, or lists their values", async () => {
    const source = `export class Pipe {
      async *pipe(body) { for (let n = 0; n < 3; n++) yield "part " + n }
      *pipes() { yield { id: "x" } }
    }`;
    const streamed = await callSource(source, "pipe", { body: {} }, { streams: true });
    expect(streamed).toMatchObject({ ok: true, streamed: true, chunks: ["part 0", "part 1", "part 2"] });
    expect(await callSource(source, "pipe", { body: {} })).toMatchObject({
      streamed: false,
      value: ["part 0", "part 1", "part 2"],
    });
    expect(await callSource(source, "pipes")).toMatchObject({ value: [{ id: "x" }] });
  });

  it("reads responses and streams", async () => {
    const source = `export class Pipe { pipe({ kind }) {
      if (kind === "json") return Response.json({ a: 1 });
      if (kind === "events") return new Response("data: 1\\n\\ndata: 2\\n\\n", { headers: { "content-type": "text/event-stream" } });
      return new Response("plain ä").body;
    } }`;
    const ask = (kind: string) => callSource(source, "pipe", { kind }, { streams: true });
    expect(await ask("json")).toMatchObject({ value: { a: 1 }, streamed: false });
    expect(await ask("events")).toMatchObject({ streamed: true, chunks: ["data: 1", "data: 2"] });
    expect((await ask("body")).chunks.join("")).toBe("plain ä");
  });

  it("gives the ways back to the service", async () => {
    const source = `export class Tools { async go(__event_emitter__, __event_call__, __service__, __tools__) {
      __event_emitter__({ type: "status", data: { description: "one" } });
      await __event_emitter__({ type: "status", data: { description: "two" } });
      const yes = await __event_call__({ type: "confirmation", data: { title: "?" } });
      const me = await __service__.getUser();
      const failure = await __service__.getUser("other").catch((error) => error.message);
      const file = await __service__.createFile({ name: "a.txt", content: "hé" });
      const called = await __tools__.search.call({ q: 1 });
      __event_emitter__({ type: "status", data: { description: "late" } });
      return { yes, me, failure, spec: __tools__.search.spec };
    } }`;
    const reserved = { __tools__: { search: { spec: 5 } } };
    const result = await callSource(source, "go", {}, { answer: true, reserved });
    expect(result).toMatchObject({
      ok: true,
      value: { yes: true, me: { name: "user.get" }, failure: "Not found", spec: 5 },
      questions: [{ type: "confirmation", data: { title: "?" } }],
    });
    const said = result.events.map((event) => (event as { data: { description: string } }).data.description);
    expect(said).toEqual(["one", "two", "late"]);
    expect(result.requests).toEqual([
      ["user.get", {}],
      ["user.get", { id: "other" }],
      ["file.create", { name: "a.txt", content_type: "application/octet-stream", base64: "aMOp" }],
      ["tool.call", { name: "search", args: { q: 1 } }],
    ]);
  });

  it("keeps what is printed with its call", async () => {
    const source = `export class Tools { say() { console.log("a", { b: 1 }); console.error(new Error("bad")); return 1 } }`;
    const { logs } = await callSource(source, "say");
    expect(logs).toMatchObject([
      { level: "info", text: 'a {"b":1}' },
      { level: "error", text: expect.stringContaining("Error: bad") as string },
    ]);
    const flood = await callSource(
      `export class Tools { say() { for (let n = 0; n < 5000; n++) console.log(n) } }`,
      "say",
    );
    expect(flood.logs).toHaveLength(1001);
    expect(flood.logs.at(-1)?.text).toMatch(/dropped/);
  });

  it("tells failures with their line, class and status", async () => {
    const source = `export class Tools {
      fails() {
        throw Object.assign(new RangeError("too far"), { status: 404 });
      }
      odd() { throw "just a text" }
      loop() { const a = {}; a.a = a; return a }
      big() { return 1n }
    }`;
    expect(await callSource(source, "fails")).toMatchObject({
      ok: false,
      error: { code: "threw", name: "RangeError", message: "too far", line: 3, status: 404 },
    });
    expect(await callSource(source, "odd")).toMatchObject({ error: { code: "threw", message: "just a text" } });
    expect(await callSource(source, "loop")).toMatchObject({
      error: { message: expect.stringContaining("JSON") as string },
    });
    expect(await callSource(source, "big")).toMatchObject({ error: { code: "threw", name: "TypeError" } });
    for (const missing of ["nothing", "constructor", "toString", "__proto__"]) {
      expect(await callSource(source, missing)).toMatchObject({ ok: false, error: { code: "missing" } });
    }
  });

  it("ends what takes too long, but lets people think", async () => {
    const hangs = "export class Tools { hang() { return new Promise((resolve) => setTimeout(resolve, 60_000)) } }";
    expect(await callSource(hangs, "hang", {}, { timeoutMs: limit })).toMatchObject({
      ok: false,
      error: { code: "timeout" },
    });
    const asks = "export class Tools { ask(__event_call__) { return __event_call__({}) } }";
    const answered = await callSource(
      asks,
      "ask",
      {},
      {
        timeoutMs: limit,
        capabilities: {
          emit: async () => undefined,
          call: () => new Promise((resolve) => setTimeout(() => resolve("finally"), limit * 1.5)),
          request: async () => null,
        },
      },
    );
    expect(answered).toMatchObject({ ok: true, value: "finally" });
  }, 30_000);

  it("ends when its caller lets go, and refuses what comes after", async () => {
    const abort = new AbortController();
    const code = await compile(
      getHost(),
      `let isCleanedUp = false;
      export class Pipe {
        async *pipe() { try { for (let n = 0; ; n++) yield n } finally { isCleanedUp = true } }
        isCleanedUp() { return isCleanedUp }
      }`,
    );
    const load = () => Promise.resolve({ code, valves: {}, packages: [] });
    const session = getHost().open({
      plugin: "tool/endless",
      fingerprint: "x",
      language: "javascript",
      hosts: [],
      load,
    });
    const capabilities = { emit: async () => undefined, call: async () => null, request: async () => null };
    const call = { args: {}, reserved: {}, capabilities, signal: new AbortController().signal, timeoutMs: 10_000 };
    const result = await session.call({
      ...call,
      method: "pipe",
      signal: abort.signal,
      onChunk: (value) => {
        if (value === 50) abort.abort();
      },
    });
    expect(result).toMatchObject({ ok: false, error: { code: "aborted" } });
    const ask = () => session.call({ ...call, method: "isCleanedUp" });
    await expect.poll(ask, { timeout: 30_000 }).toMatchObject({ value: true });
    session.close();
  });

  it("takes only so much", async () => {
    const source = `export class Tools {
      text() { return "x".repeat(17_000_000) }
      *values() { for (;;) yield "x".repeat(1_000_000) }
      async events(__event_emitter__) { for (;;) await __event_emitter__({ text: "x".repeat(1_000_000) }) }
    }`;
    expect(await callSource(source, "text")).toMatchObject({ ok: false, error: { code: "output" } });
    expect(await callSource(source, "values")).toMatchObject({ ok: false, error: { code: "output" } });
    expect(await callSource(source, "values", {}, { streams: true })).toMatchObject({ error: { code: "output" } });
    expect(await callSource(source, "events")).toMatchObject({ ok: false, error: { code: "output" } });
  }, 30_000);

  it("hands values on without a way to their prototypes", async () => {
    const source = `export class Tools { go() { return JSON.parse('{"a": {"__proto__": {"admin": true}}, "\\\\u005f_proto__": 1}') } }`;
    const result = await callSource(source, "go");
    expect(result).toMatchObject({ ok: true });
    expect(Object.assign({}, (result as { value: { a: object } }).value.a)).not.toHaveProperty("admin");
  });
}
