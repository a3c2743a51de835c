import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCode, compile } from "../call-source.ts";
import { describeCalls } from "../describe-calls.ts";
import { type StartedHost, startHost } from "./start-host.ts";

let started: StartedHost;

beforeAll(async () => {
  started = await startHost();
}, 240_000);

afterAll(() => started.stop());

describe("calls in isolates", () => {
  describeCalls(() => started.host, 2000);

  it("uses one isolate for all calls with the same fingerprint, and others for others", async () => {
    const code = await compile(started.host, "let n = 0; export class Tools { count() { return ++n } }");
    const count = async (fingerprint: string, plugin = "tool/count") =>
      (await callCode(started.host, code, "count", {}, { fingerprint, plugin })) as { value?: unknown };
    expect((await count("a")).value).toBe(1);
    expect((await count("a")).value).toBe(2);
    expect((await count("b")).value).toBe(1);
    expect((await count("a", "tool/other")).value).toBe(1);
  });

  it("asks for the code only where no isolate is warm, and again where that failed", async () => {
    const code = await compile(started.host, "export class Tools { one() { return 1 } }");
    let loads = 0;
    const call = (fails: boolean) => {
      const load = async () => {
        loads++;
        if (fails) throw new Error("The database is away");
        return { code, valves: {}, packages: [] };
      };
      const session = started.host.open({
        plugin: "tool/load",
        fingerprint: "x",
        language: "javascript",
        hosts: [],
        load,
      });
      const capabilities = { emit: async () => undefined, call: async () => null, request: async () => null };
      const signal = new AbortController().signal;
      return session
        .call({ method: "one", args: {}, reserved: {}, capabilities, signal, timeoutMs: 10_000 })
        .finally(() => session.close());
    };
    expect(await call(true)).toMatchObject({
      ok: false,
      error: { code: "unavailable", message: "The database is away" },
    });
    expect(await call(false)).toMatchObject({ ok: true, value: 1 });
    expect(await call(true)).toMatchObject({ ok: true, value: 1 });
    expect(loads).toBe(2);
  });

  it("takes many calls of one session at the same time", async () => {
    const source = `export class Tools { async echo(n: number, __event_emitter__) {
      await __event_emitter__({ n });
      return n;
    } }`;
    const code = await compile(started.host, source);
    const load = () => Promise.resolve({ code, valves: {}, packages: [] });
    const session = started.host.open({
      plugin: "tool/echo",
      fingerprint: "x",
      language: "javascript",
      hosts: [],
      load,
    });
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const events: unknown[] = [];
        const capabilities = {
          emit: async (event: unknown) => void events.push(event),
          call: async () => null,
          request: async () => null,
        };
        const signal = new AbortController().signal;
        const call = { method: "echo", args: { n }, reserved: {}, capabilities, signal, timeoutMs: 20_000 };
        return [await session.call(call), events];
      }),
    );
    expect(answers).toEqual(
      Array.from({ length: 50 }, (_, n) => [{ ok: true, value: n, streamed: false, logs: [] }, [{ n }]]),
    );
    session.close();
    const late = { method: "echo", args: {}, reserved: {}, signal: new AbortController().signal, timeoutMs: 1000 };
    const capabilities = { emit: async () => undefined, call: async () => null, request: async () => null };
    expect(await session.call({ ...late, capabilities })).toMatchObject({ ok: false, error: { code: "aborted" } });
  });

  it("refuses sources that do not load, with the line", async () => {
    const { info, problems } = await started.host.describe(
      "export class Pipe { pipe() {}\n constructor() {\n  null.x } }",
      [],
    );
    expect(info).toBeUndefined();
    expect(problems).toMatchObject([
      { severity: "error", line: 3, message: expect.stringMatching(/TypeError/) as string },
    ]);
  });
});
