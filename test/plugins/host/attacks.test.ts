import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCode, type CallOptions, compile } from "../call-source.ts";
import { smuggle } from "./smuggle.ts";
import { type StartedHost, startHost } from "./start-host.ts";

let started: StartedHost;

beforeAll(async () => {
  started = await startHost();
}, 240_000);

afterAll(() => started.stop());

/** Runs statements in an isolate; their value, or the words of what they threw. */
async function run(statements: string, options: CallOptions = {}): Promise<unknown> {
  const source = `export class Tools { async go(__event_emitter__, __event_call__, __service__) { ${statements} } }`;
  const result = await callCode(started.host, await compile(started.host, source), "go", {}, options);
  return result.ok ? result.value : `${result.error.code}: ${result.error.message}`;
}

describe("a plugin that says more than others have time for", () => {
  it.each([
    `return Array.from({ length: 300_000 }, () => ({}))`,
    `return Array.from({ length: 300_000 }, () => 0)`,
    `return "x".repeat(17e6)`,
    `return "\\u20ac".repeat(15e6)`,
  ])("has its answer refused: %s", async (statements) => {
    expect(await run(statements)).toMatch(/^output: /);
  });

  it("has other things refused too, and goes on", async () => {
    const many = `Array.from({ length: 300_000 }, () => [])`;
    const statements = `const words = [];
      for (const attempt of [__event_emitter__({ many: ${many} }), __event_call__(${many}), __service__.request("x", { many: ${many} })])
        words.push(await attempt.then(() => "taken", (error) => error.message));
      return words`;
    expect(await run(statements)).toEqual(Array.from({ length: 3 }, () => "The data is larger than the limit"));
    // In a text, as many are no values.
    expect(await run(`return ",[{".repeat(300_000).length`)).toBe(900_000);
  });

  it.each([
    [`__service__.request("x")`, 32],
    [`__event_call__({})`, 8],
  ])("waits for answers before it asks for more: %s", async (ask, most) => {
    let open = 0;
    let highest = 0;
    const full = Promise.withResolvers<void>();
    const answer = async () => {
      highest = Math.max(highest, ++open);
      if (open >= most) full.resolve();
      await full.promise;
      open--;
      return null;
    };
    const capabilities = { emit: async () => undefined, call: answer, request: answer };
    const value = await run(`return (await Promise.all(Array.from({ length: 100 }, () => ${ask}))).length`, {
      capabilities,
    });
    expect({ value, highest }).toEqual({ value: 100, highest: most });
  });

  it("prints as much as it likes, and loses only what is too much", async () => {
    const code = await compile(
      started.host,
      `export class Tools { go() { for (let n = 0; n < 300_000; n++) console.log("x".repeat(200)); return "done" } }`,
    );
    const { ok, logs } = await callCode(started.host, code, "go");
    expect(ok).toBe(true);
    expect(logs).toHaveLength(1001);
  });
});

describe("a plugin that has its hands on the harness", () => {
  /** Statements that stand in for the harness's own function, with `call` and `bridge`. */
  async function tamper(statements: string) {
    const source = `export class Tools {
      async arm() {
        const { default: Main } = await import("./main.js");
        const { RpcTarget } = await import("cloudflare:workers");
        Main.prototype.call = async function (call, bridge) { ${statements} };
      }
      one() { return 1 }
    }`;
    const code = await smuggle(started.host, source);
    const options = { fingerprint: crypto.randomUUID(), plugin: "tool/tampering" };
    await callCode(started.host, code, "arm", {}, options);
    return callCode(started.host, code, "one", {}, { ...options, timeoutMs: 3000 });
  }

  it.each([
    `return { ok: true, value: 1 }`,
    `return () => 1`,
    `return "null"`,
    `return "{"`,
    `return '{"ok":1}'`,
    `return '{"ok":false,"error":{"code":"paused","retryAfter":99,"message":"x"}}'`,
    `return '{"ok":false,"error":{"code":"threw","message":{"toString":1}}}'`,
    `return new ReadableStream({ pull(controller) { controller.enqueue(new Uint8Array(1e6)) } })`,
    `return new (class extends RpcTarget { then() {} })()`,
    `return "x".repeat(31e6)`,
    `return '{"ok":true,"value":' + "[".repeat(1e6) + "]".repeat(1e6) + "}"`,
    `throw { toString() { throw 1 } }`,
    `return bridge`,
  ])("has no answer that is none taken: %s", async (statements) => {
    const { ok, ...rest } = await tamper(statements);
    expect(ok).toBe(false);
    expect(rest).toMatchObject({
      error: {
        code: expect.stringMatching(/^(?:threw|output|timeout)$/) as string,
        message: expect.any(String) as string,
      },
    });
  });

  it("has no prototype changed by its answer", async () => {
    const result = await tamper(
      String.raw`return '{"ok":true,"streamed":"yes","value":{"__proto__":{"x":1},"\\u005f_proto__":{"x":1},"a":1},"logs":[1]}'`,
    );
    expect(result).toMatchObject({ ok: true, streamed: false, logs: [] });
    const { value } = result as unknown as { value: Record<string, unknown> };
    expect(Object.keys(value)).toEqual(["a"]);
    expect(value["x"]).toBeUndefined();
  });

  it("cannot send what is no text, nor ask with what is no object", async () => {
    const result = await tamper(`
      const attempts = {
        object: () => bridge.emit({ a: 1 }),
        target: () => bridge.emit(new (class extends RpcTarget {})()),
        boxed: () => bridge.call(new String("{}")),
        name: () => bridge.request({}, "{}"),
        list: () => bridge.request("x", "[1]"),
        nothing: () => bridge.request("x", "null"),
        broken: () => bridge.request("x", "{"),
        unknown: () => bridge.end(),
        asks: () => bridge.asks.emit("{}"),
      };
      const found = {};
      for (const [name, attempt] of Object.entries(attempts)) {
        try { await attempt(); found[name] = "taken" } catch { found[name] = "refused" }
      }
      await bridge.chunk(1);
      await bridge.log({}, "text");
      await bridge.log("loud", "text");
      await bridge.log("error", {});
      return JSON.stringify({ ok: true, value: found });`);
    const names = ["object", "target", "boxed", "name", "list", "nothing", "broken", "unknown", "asks"];
    expect(result).toMatchObject({ value: Object.fromEntries(names.map((name) => [name, "refused"])) as object });
    const line = { level: "info", text: "text" };
    expect(result.logs).toEqual([line, line]);
    expect([result.events, result.questions, result.requests, result.chunks]).toEqual([[], [], [], []]);
  });
});

it("one person's bridge is of no use in another's call, neither while that one lasts nor afterwards", async () => {
  const source = `let kept; export class Tools {
    async keep(__event_emitter__, __event_call__) { kept = __event_emitter__; await __event_call__({}); return "kept" }
    async steal() { return kept({ stolen: true }).then(() => "sent", (error) => "refused: " + error.message) }
  }`;
  const code = await compile(started.host, source);
  const options = { plugin: "tool/keeping", fingerprint: "one" };
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<null>();
  const events: unknown[] = [];
  const capabilities = {
    emit: async (event: unknown) => void events.push(event),
    call: () => {
      asked.resolve();
      return answered.promise;
    },
    request: async () => null,
  };
  const keeping = callCode(started.host, code, "keep", {}, { ...options, capabilities });
  await asked.promise;
  const during = await callCode(started.host, code, "steal", {}, options);
  answered.resolve(null);
  expect(await keeping).toMatchObject({ ok: true, value: "kept" });
  const after = await callCode(started.host, code, "steal", {}, options);
  for (const stolen of [during, after])
    expect(stolen).toMatchObject({ ok: true, value: expect.stringMatching(/^refused: /) as string, events: [] });
  expect(events).toEqual([]);
});
