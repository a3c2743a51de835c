import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PluginTraffic } from "../../../src/plugins/plugin-host.ts";
import { callCode, compile } from "../call-source.ts";
import { type EchoServer, startEchoServer } from "../host/echo-socket.ts";
import { type PythonHost, startPythonHost } from "./python-host.ts";

let server: EchoServer;
let host: PythonHost;
beforeAll(async () => {
  server = await startEchoServer();
  host = await startPythonHost(`127.0.0.1:${server.port}`);
}, 120_000);
afterAll(async () => {
  await host.stop();
  server.close();
});

const source = `import asyncio, aiohttp, json, websockets

class Tools:
    async def talk(self, url: str) -> list:
        async with websockets.connect(url, subprotocols=["chat"], additional_headers={"Authorization": "Bearer k"}) as socket:
            await socket.send("hello")
            text = await socket.recv()
            await socket.send(b"\\x00\\x01" * 40_000)
            data = await socket.recv()
            await (await socket.ping())
            await socket.send(iter(["in ", "pieces"]))
            return [text, len(data), await socket.recv(), socket.subprotocol]
    async def ended(self, url: str) -> list:
        async with websockets.connect(url) as socket:
            await socket.send("bye")
            try:
                await socket.recv()
            except websockets.ConnectionClosed as error:
                return [error.rcvd.code, error.rcvd.reason]
    async def over_aiohttp(self, url: str) -> list:
        async with aiohttp.ClientSession() as session:
            async with session.ws_connect(url) as socket:
                await socket.send_json({"a": 1})
                first = await socket.receive_json()
                await socket.send_bytes(b"abc")
                second = (await socket.receive()).data.decode()
                await socket.send_str("bye")
                rest = [message.type.name async for message in socket]
                return [first, second, rest, socket.close_code]
    def blocking(self, url: str) -> list:
        from websockets.sync.client import connect
        with connect(url, subprotocols=["chat"], additional_headers={"Authorization": "Bearer k"}) as socket:
            socket.send("hello")
            text = socket.recv(timeout=20)
            socket.send(b"\\x00\\x01" * 40_000)
            data = socket.recv()
            # More than are taken at a time.
            for number in range(60):
                socket.send(str(number))
            return [text, len(data), socket.subprotocol, sum(int(socket.recv()) for _ in range(60))]
    def blocking_end(self, url: str) -> list:
        from websockets.sync.client import connect
        with connect(url) as socket:
            socket.send("bye")
            try:
                socket.recv()
            except websockets.ConnectionClosed as error:
                return [error.rcvd.code, error.rcvd.reason]
    def blocking_fails(self, url: str) -> str:
        from websockets.sync.client import connect
        try:
            with connect(url):
                return "connected"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    async def fails(self, url: str) -> str:
        try:
            async with websockets.connect(url):
                return "connected"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    async def fails_over_aiohttp(self, url: str) -> str:
        try:
            async with aiohttp.ClientSession() as session, session.ws_connect(url):
                return "connected"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    async def leaves(self, url: str) -> str:
        self.kept = await websockets.connect(url)
        return "left"
    async def uses_kept(self) -> str:
        await self.kept.send("still there?")
        return await self.kept.recv()
    async def many(self, url: str) -> int:
        kept = []
        try:
            for _ in range(12):
                kept.append(await websockets.connect(url))
        except Exception:
            pass
        return len(kept)
    async def raw(self) -> str:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", 80)
            writer.write(b"GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
            return (await reader.read()).decode()
        except Exception as error:
            return f"{type(error).__name__}: {error}"
`;
const url = (path = "/", scheme = "ws") => `${scheme}://127.0.0.1:${server.port}${path}`;
const call = (method: string, args: object = {}, more: object = {}) =>
  host.call(source, method, { ...args }, { hosts: [`127.0.0.1:${server.port}`], ...more });

describe("WebSockets of plugins", { timeout: 60_000 }, () => {
  it("carry texts, bytes, pieces and pings with websockets, and what the server says about the end", async () => {
    const told: PluginTraffic[] = [];
    const result = await call("talk", { url: url() }, { onTraffic: (traffic: PluginTraffic) => told.push(traffic) });
    expect(result).toMatchObject({ ok: true, value: ["hello", 80_000, "in pieces", "chat"] });
    expect(server.heads.at(-1)).toMatchObject({ authorization: "Bearer k", "sec-websocket-protocol": "chat" });
    const [traffic] = told[0]!.hosts;
    expect(traffic).toMatchObject({ host: `127.0.0.1:${server.port}`, isRefused: false, requests: 1, bytesIn: 80_014 });
    expect(traffic!.bytesOut).toBeGreaterThan(80_014);
    expect(await call("ended", { url: url() })).toMatchObject({ ok: true, value: [4001, "done"] });
  });

  it("work with websockets.sync, which waits without holding anything up", async () => {
    expect(await call("blocking", { url: url() })).toMatchObject({ ok: true, value: ["hello", 80_000, "chat", 1770] });
    expect(server.heads.at(-1)).toMatchObject({ authorization: "Bearer k" });
    expect(await call("blocking_end", { url: url() })).toMatchObject({ ok: true, value: [4001, "done"] });
    expect(await call("blocking_fails", { url: url("/denied") })).toMatchObject({
      value: expect.stringMatching(/403/),
    });
    const hosts = { hosts: ["10.0.0.1"] };
    const secret = await call("blocking_fails", { url: "wss://10.0.0.1/" }, hosts);
    expect(secret).toMatchObject({ value: expect.not.stringMatching(/^connected/) });
    expect(JSON.stringify(secret)).toMatch(/is not a public address/);
  });

  it("work with aiohttp", async () => {
    expect(await call("over_aiohttp", { url: url() })).toMatchObject({
      ok: true,
      value: [{ a: 1 }, "abc", [], 4001],
    });
  });

  it("reach allowed hosts only, and never a private address", async () => {
    const elsewhere = await call("fails", { url: "wss://other.example/" });
    expect(elsewhere).toMatchObject({ ok: true, value: expect.stringMatching(/502/) });
    expect(elsewhere.logs.at(-1)!.text).toMatch(/not allowed to reach other\.example/);
    for (const address of [
      "ws://10.0.0.1/",
      "ws://localhost:8080/",
      "ws://[::1]/",
      "ws://169.254.169.254/",
      "ws://0x7f000001/",
    ]) {
      const any = { hosts: ["*", new URL(address.replace("ws:", "http:")).host] };
      const result = await call("fails", { url: address }, any);
      expect(result).toMatchObject({ ok: true, value: expect.stringMatching(/502/) });
      expect(result.logs.map(({ text }) => text).join("\n")).toMatch(/is not a public address/);
      const other = await call("fails_over_aiohttp", { url: address }, any);
      expect(other).toMatchObject({ value: expect.stringMatching(/is not a public address/) });
    }
    expect(await call("fails", { url: url() }, { hosts: [] })).toMatchObject({ value: expect.stringMatching(/502/) });
    expect(await call("fails", { url: url("/denied") })).toMatchObject({ value: expect.stringMatching(/403/) });
    expect(await call("fails", { url: url("/away") })).toMatchObject({
      value: expect.not.stringMatching(/^connected/),
    });
    expect(await call("raw")).toMatchObject({ value: expect.stringMatching(/not available/) });
  });

  it("end with their call, and there are only a few at a time", async () => {
    expect(await call("leaves", { url: url() })).toMatchObject({ value: "left" });
    await expect.poll(() => server.open.size).toBe(0);
    expect(await call("uses_kept")).toMatchObject({ ok: false });
    expect(await call("many", { url: url() })).toMatchObject({ value: 8 });
    await expect.poll(() => server.open.size).toBe(0);
  });

  it("of JavaScript end with their call too", async () => {
    const script = `export class Tools { async go(url) {
      const { webSocket } = await fetch(url, { headers: { upgrade: "websocket" } });
      webSocket.accept();
      const echo = new Promise((resolve) => webSocket.addEventListener("message", ({ data }) => resolve(data)));
      webSocket.send("hello");
      return echo;
    } }`;
    const options = { hosts: [`127.0.0.1:${server.port}`], plugin: "tool/script" };
    const { host: plugins } = host.started;
    const args = { url: url("/", "http") };
    expect(await callCode(plugins, await compile(plugins, script), "go", args, options)).toMatchObject({
      value: "hello",
    });
    await expect.poll(() => server.open.size, { timeout: 30_000 }).toBe(0);
  });

  it.each([
    ["bytes", "2.large", 1008, "It has passed its limit of messages"],
    ["messages", "many", 1008, "It has passed its limit of messages"],
    ["bytes of one message", "9.large", 1009, "A message is larger than the limit"],
  ])("are closed at their limit of %s", async (_, kind, code, reason) => {
    const script = `export class Tools { async go(url, kind) {
      const { webSocket } = await fetch(url, { headers: { upgrade: "websocket" } });
      webSocket.accept();
      const closed = new Promise((resolve) => webSocket.addEventListener("close", ({ code, reason }) => resolve([code, reason])));
      let bytes = 0;
      let messages = 0;
      const send = () => webSocket.send(new Uint8Array(parseInt(kind) * 1e6));
      webSocket.addEventListener("message", ({ data }) => {
        messages++;
        bytes += data.length ?? data.byteLength;
        if (kind !== "many") send();
      });
      if (kind === "many") for (let n = 0; n < 60_000; n++) webSocket.send("x");
      else send();
      return [...(await closed), messages, bytes];
    } }`;
    const options = { hosts: [`127.0.0.1:${server.port}`], plugin: "tool/script" };
    const { host: plugins } = host.started;
    const args = { url: url("/", "http"), kind };
    const result = await callCode(plugins, await compile(plugins, script), "go", args, options);
    expect(result).toMatchObject({ ok: true, value: [code, reason, expect.any(Number), expect.any(Number)] });
    const [, , messages, bytes] = (result as { value: number[] }).value as [number, string, number, number];
    expect(messages).toBeLessThanOrEqual(100_000);
    expect(bytes).toBeLessThanOrEqual(100_000_000);
    await expect.poll(() => server.open.size).toBe(0);
  });
});
