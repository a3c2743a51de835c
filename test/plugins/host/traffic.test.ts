import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PluginCode, PluginTraffic } from "../../../src/plugins/plugin-host.ts";
import { compile } from "../call-source.ts";
import { type StartedHost, startHost } from "./start-host.ts";

let started: StartedHost;
let web: Server;
let port: number;
let received = 0;

beforeAll(async () => {
  web = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => (received += chunk.length));
    request.on("end", () => {
      if (request.url === "/stream") {
        response.write("a".repeat(500));
        response.end("b".repeat(500));
      } else response.writeHead(200, { "content-length": "300" }).end("c".repeat(300));
    });
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  port = (web.address() as { port: number }).port;
  started = await startHost({ allowedPrivateHosts: `127.0.0.1:${port}` });
}, 240_000);
afterAll(async () => {
  await started.stop();
  web.close();
});

/** Calls `go(url, text)` of a plugin again and again, and collects what the host tells. */
async function openFetcher(name: string, budget: PluginCode["budget"] = null) {
  const source = `export class Tools {
    async go(url, text) {
      const response = await fetch(url, text === undefined ? {} : { method: "POST", body: text });
      return (await response.text()).length;
    }
    async stream(url, pieces) {
      const body = new ReadableStream({ pull(c) { if (pieces-- > 0) c.enqueue(new TextEncoder().encode("d".repeat(100))); else c.close(); } });
      return (await (await fetch(url, { method: "POST", body, duplex: "half" })).text()).length;
    }
  }`;
  const code = await compile(started.host, source);
  const told: PluginTraffic[] = [];
  const session = started.host.open({
    plugin: `tool/${name}`,
    fingerprint: "1",
    language: "javascript",
    hosts: [`127.0.0.1:${port}`],
    budget,
    onTraffic: (traffic) => told.push(traffic),
    load: async () => ({ code, valves: {}, packages: [] }),
  });
  const capabilities = { emit: async () => undefined, call: async () => undefined, request: async () => undefined };
  const signal = new AbortController().signal;
  const call = (method: string, args: Record<string, unknown>) =>
    session.call({ method, args, reserved: {}, capabilities, signal, timeoutMs: 10_000 });
  return { told, call, close: () => session.close() };
}

const here = (path: string) => `http://127.0.0.1:${port}${path}`;

describe("the traffic of a plugin", () => {
  it("is told with the end of a call: bytes of bodies both ways, and what was refused", async () => {
    const { told, call, close } = await openFetcher("counted");
    expect(await call("go", { url: here("/"), text: "x".repeat(1000) })).toMatchObject({ value: 300 });
    expect(told).toHaveLength(1);
    expect(told[0]!.hosts).toMatchObject([{ host: `127.0.0.1:${port}`, isRefused: false, requests: 1, bytesIn: 300 }]);
    expect(told[0]!.hosts[0]!.bytesOut).toBeGreaterThan(1000);
    expect(told[0]!.hosts[0]!.bytesOut).toBeLessThan(2000);
    expect(await call("go", { url: here("/stream") })).toMatchObject({ value: 1000 });
    expect(told[1]!.hosts).toMatchObject([{ requests: 1, bytesIn: 1000 }]);
    received = 0;
    expect(await call("stream", { url: here("/"), pieces: 20 })).toMatchObject({ value: 300 });
    expect(received).toBe(2000);
    expect(told[2]!.hosts[0]!.bytesOut).toBeGreaterThan(2000);
    expect(await call("go", { url: "http://other.example/" })).toMatchObject({ ok: false });
    expect(told[3]!.hosts).toEqual([{ host: "other.example", isRefused: true, requests: 1, bytesOut: 0, bytesIn: 0 }]);
    close();
  });

  it("ends at its budget of bytes, also in the middle of a body, and the error says which", async () => {
    const budget = { callsPerMinute: null, secondsPerCall: null, bytesOutPerMinute: 3000 };
    const { told, call, close } = await openFetcher("budgeted", budget);
    expect(await call("go", { url: here("/"), text: "x".repeat(1000) })).toMatchObject({ ok: true });
    expect(await call("go", { url: here("/"), text: "x".repeat(2500) })).toMatchObject({
      ok: false,
      error: { message: "This plugin's budget of 3000 bytes out a minute is used up" },
    });
    received = 0;
    const cut = await call("stream", { url: here("/"), pieces: 100 });
    expect(cut).toMatchObject({
      ok: false,
      error: { message: "This plugin's budget of 3000 bytes out a minute is used up" },
    });
    expect(received).toBeLessThanOrEqual(2000);
    expect(told.at(-1)!.hosts.some(({ isRefused }) => isRefused)).toBe(true);
    close();
  });

  it("has a budget of calls a minute, for all sessions together", async () => {
    const budget = { callsPerMinute: 2, secondsPerCall: null, bytesOutPerMinute: null };
    const first = await openFetcher("few", budget);
    const second = await openFetcher("few", budget);
    expect(await first.call("go", { url: here("/") })).toMatchObject({ ok: true });
    expect(await second.call("go", { url: here("/") })).toMatchObject({ ok: true });
    for (const { call } of [first, second])
      expect(await call("go", { url: here("/") })).toMatchObject({
        ok: false,
        error: { code: "budget", message: "Its budget of 2 calls a minute is used up" },
      });
    first.close();
    second.close();
  });
});
