import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callNative, connectTo, type NativeOptions } from "./call-native.ts";
import { type StartedRunner, startRunner, token, whyNoPython } from "./start-runner.ts";

const missing = whyNoPython();
let runner: StartedRunner;
/** As the service has it. */
const host = connectTo(token);
let upstream: Server;
let site: string;

/** A tool whose function has these lines. */
const tool = (body: string, head = "async def run(self, __event_emitter__, __event_call__, __user__, text=''):") =>
  `import asyncio, os, socket, subprocess, sys, threading, time, urllib.request\n\nclass Tools:\n    ${head}\n${body
    .trim()
    .split("\n")
    .map((line) => `        ${line}`)
    .join("\n")}\n`;
const sync = "def run(self, text=''):";
const run = (source: string, options: NativeOptions & { args?: Record<string, unknown> } = {}) =>
  callNative(runner, source, "run", options.args, options);

describe.skipIf(missing)(`the native runner${missing}`, { timeout: 60_000 }, () => {
  beforeAll(async () => {
    upstream = createServer((request, response) => {
      request.resume().on("end", () => response.end(`${request.method} ${request.url}`));
    });
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    site = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    runner = await startRunner({
      RUNNER_ALLOWED_PRIVATE_HOSTS: site,
      RUNNER_CPU_SECONDS: "5",
      RUNNER_MEMORY_MB: "800",
    });
  });
  afterAll(async () => {
    await runner?.stop();
    upstream?.close();
  });

  describe("what runs", () => {
    it("keeps databases with the service, as in the sandbox", async () => {
      const source = (head: string) =>
        tool(
          `
import sqlite3
from open_webui.config import DATA_DIR
with sqlite3.connect(f"{DATA_DIR}/native.db") as db:
    db.execute("CREATE TABLE IF NOT EXISTS t (x)")
    db.execute("INSERT INTO t VALUES (1)")
    return db.execute("SELECT count(*) FROM t").fetchone()[0]`,
          head,
        );
      let stored: { version: number; base64: string } | null = null;
      const rights = {
        "database.list": () => (stored ? [{ path: "native.db", version: stored.version, writer: "-" }] : []),
        "database.load": () => stored,
        "database.save": ({ base, base64 }: { base: number; base64: string }) =>
          (stored = { version: base + 1, base64 }),
      };
      expect(await run(source(sync), { rights, plugin: "tool/keeps" })).toMatchObject({ ok: true, value: 1 });
      expect(stored).toMatchObject({ version: 1 });
      expect(
        await run(source("async def run(self, text='', again=1):"), { rights, plugin: "tool/keeps-too" }),
      ).toMatchObject({
        ok: true,
        value: 2,
      });
    });

    it("calls functions with events, questions, rights, logs and valves, as in the sandbox", async () => {
      const source = tool(`
await __event_emitter__({"type": "status", "data": {"description": "Looking"}})
answer = await __event_call__({"type": "input", "data": {}})
print("asked", answer)
return {"answer": answer, "user": __user__["name"], "text": text}`);
      const result = await run(source, {
        args: { text: "Hi" },
        answers: ["yes"],
        reserved: { __user__: { name: "Ada" } },
      });
      expect(result).toMatchObject({ ok: true, value: { answer: "yes", user: "Ada", text: "Hi" } });
      expect(result.events).toEqual([{ type: "status", data: { description: "Looking" } }]);
      expect(result.questions).toEqual([{ type: "input", data: {} }]);
      expect(result.logs).toEqual([{ level: "info", text: "asked yes" }]);
      expect(result.traffic[0]!.memory).toBeGreaterThan(5_000_000);
    });

    it("streams what synchronous and asynchronous generators give", async () => {
      const pipe = (head: string, wait: string) =>
        `import asyncio, time\nclass Pipe:\n    ${head} pipe(self, body):\n        for word in body["words"]:\n            ${wait}\n            yield word\n`;
      for (const source of [pipe("async def", "await asyncio.sleep(0.01)"), pipe("def", "time.sleep(0.01)")]) {
        const args = { body: { words: ["a", "b", "c"] } };
        const result = await callNative(runner, source, "pipe", args, { streams: true });
        expect(result).toMatchObject({ ok: true, streamed: true, chunks: ["a", "b", "c"] });
      }
    });

    it("starts processes and threads, loads native code, and waits in synchronous code", async () => {
      const source = tool(
        `
import ctypes
found = []
thread = threading.Thread(target=lambda: found.append(asyncio.run(asyncio.sleep(0.01, "thread"))))
thread.start()
thread.join()
said = subprocess.run([sys.executable, "-c", "print('child')"], capture_output=True, text=True).stdout.strip()
return [said, *found, ctypes.CDLL(None).abs(-3)]`,
        sync,
      );
      expect(await run(source)).toMatchObject({ ok: true, value: ["child", "thread", 3] });
    });

    it("does not let one synchronous call hold up another, and ends a call with its tasks", async () => {
      const source = tool(
        `
if text == "slow":
    return str(time.sleep(1.5))
return text`,
        sync,
      );
      const order: string[] = [];
      const both = ["slow", "fast"].map(async (text) => {
        await run(source, { args: { text } });
        order.push(text);
      });
      await Promise.all(both);
      expect(order).toEqual(["fast", "slow"]);
    });

    it("gives the error with class, line and status", async () => {
      const source = `class HTTPException(Exception):\n    def __init__(self, status_code, detail):\n        self.status_code, self.detail = status_code, detail\n\nclass Tools:\n    def run(self, text=''):\n        raise HTTPException(418, "no coffee")\n`;
      expect(await run(source)).toMatchObject({
        ok: false,
        error: { code: "threw", name: "HTTPException", message: "no coffee", status: 418, line: 7 },
      });
      expect(await callNative(runner, source, "_hidden")).toMatchObject({ ok: false, error: { code: "missing" } });
    });

    it("keeps self between calls of a version, and valves apart", async () => {
      const source = `class Tools:\n    def __init__(self):\n        self.count = 0\n    def run(self):\n        self.count += 1\n        return self.count\n`;
      const session = host.open({
        plugin: "tool/count",
        fingerprint: "1",
        language: "python",
        hosts: [],
        runner: runner.address,
        load: async () => ({ code: source, valves: {}, packages: [] }),
      });
      const capabilities = { emit: async () => undefined, call: async () => null, request: async () => null };
      const call = {
        method: "run",
        args: {},
        reserved: {},
        signal: new AbortController().signal,
        timeoutMs: 20_000,
        capabilities,
      };
      expect((await session.call(call)) as object).toMatchObject({ value: 1 });
      expect((await session.call(call)) as object).toMatchObject({ value: 2 });
      session.close();
    });
  });

  describe("what a source is", () => {
    it("is described, with packages of this Python, without being called", async () => {
      const source = `"""\ntitle: Clip\nrequirements: surely-missing\n"""\nimport subprocess\n\nclass Tools:\n    def cut(self, start: int) -> str:\n        """\n        Cuts.\n        :param start: seconds\n        """\n        return ""\n`;
      const described = await host.describe(source, [], runner.address);
      expect(described.info).toMatchObject({
        type: "tools",
        language: "python",
        manifest: { title: "Clip" },
        specs: [{ name: "cut" }],
      });
      expect(described.code).toBe(source);
      expect(described.problems).toEqual([
        expect.objectContaining({
          severity: "warning",
          message: expect.stringContaining("install the package surely-missing in the Python of the runner") as string,
        }),
      ]);
    });

    it("is refused where it does not load, crashes or ends the process", async () => {
      const messages = [];
      for (const source of [
        "class Tools:\n  def",
        "import surely_missing\nclass Tools: pass",
        "import os\nos._exit(3)\nclass Tools: pass",
        "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)",
      ]) {
        const { info, problems } = await host.describe(source, [], runner.address);
        expect(info).toBeUndefined();
        messages.push(problems[0]!.message);
      }
      expect(messages).toEqual([
        expect.stringContaining("SyntaxError"),
        expect.stringContaining("surely_missing is not available"),
        "It could not be loaded: Its process ended by itself (3)",
        "It could not be loaded: Its process crashed (SIGSEGV)",
      ]);
    });

    it("may use the network in its constructor: that is left out while it is checked", async () => {
      const source = `import urllib.request\nclass Tools:\n    def __init__(self):\n        urllib.request.urlopen("http://${site}/")\n    def run(self):\n        return 1\n`;
      expect((await host.describe(source, [], runner.address)).info).toMatchObject({ type: "tools" });
    });
  });

  describe("what is around a plugin", () => {
    it("is an empty environment, a folder of its own, and no file of the runner", async () => {
      const source = tool(`
with open("note.txt", "w") as file:
    file.write("mine")
def links():
    for number in os.listdir("/proc/self/fd"):
        try:
            yield number, os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            pass
def peek(name):
    try:
        return open(f"/proc/{os.getppid()}/{name}", "rb").read().decode("latin-1")
    except OSError as error:
        return type(error).__name__
inherited = [link for number, link in links() if link.startswith("/") and link != "/dev/null" and not link.startswith("/proc")]
return {"names": sorted(os.environ), "inherited": inherited, "home": os.getcwd() == os.environ["HOME"], "environ": peek("environ"), "memory": peek("mem")}`);
      const result = await run(source);
      const proxies = [
        "ALL_PROXY",
        "HTTPS_PROXY",
        "HTTP_PROXY",
        "HOME",
        "LANG",
        "PATH",
        "TMPDIR",
        "all_proxy",
        "http_proxy",
        "https_proxy",
      ];
      expect(result).toMatchObject({
        ok: true,
        value: { inherited: [], home: true, environ: "PermissionError", memory: "PermissionError" },
      });
      const { names } = (result as { value: { names: string[] } }).value;
      // What a shell or the locale adds by itself.
      expect(names.filter((name) => name !== "LC_CTYPE")).toEqual([...proxies].toSorted());
      expect(JSON.stringify(result)).not.toContain(token);
    });

    it("is limited memory, processor time and file size", async () => {
      const memory = await run(tool(`return len(bytearray(2_000_000_000))`, sync), { plugin: "tool/memory" });
      expect(memory).toMatchObject({ ok: false, error: { code: "threw", name: "MemoryError" } });
      const loop = await run(tool(`while True: pass`), { plugin: "tool/loop" });
      expect(loop).toMatchObject({
        ok: false,
        error: { code: "stopped", message: "It used more than 5 seconds of processor time and was stopped" },
      });
    });

    it("is a process that a crash ends, for this plugin alone, and after the third one for a while", async () => {
      const source = tool(`os.abort()`, sync);
      const crash = () => run(source, { plugin: "tool/crash" });
      for (let time = 0; time < 3; time++)
        expect(await crash()).toMatchObject({
          ok: false,
          error: { code: "stopped", message: "Its process crashed (SIGABRT)" },
        });
      expect(await crash()).toMatchObject({ ok: false, error: { code: "paused" } });
      expect(await run(tool(`return 1`, sync))).toMatchObject({ ok: true, value: 1 });
    });

    it("ends with a call that does not let go", async () => {
      const stop = new AbortController();
      const source = tool(`
await __event_emitter__({"type": "status", "data": {}})
time.sleep(60)`);
      const stuck = run(source, { plugin: "tool/stuck", signal: stop.signal, timeoutMs: 500 });
      expect(await stuck).toMatchObject({ ok: false, error: { code: "timeout" } });
      // Its process is gone a moment later, and another one answers.
      await expect
        .poll(() => healthOf(runner.address).then(({ body }) => body), { timeout: 20_000 })
        .toMatchObject({ status: true });
    });
  });

  describe("the network", () => {
    const fetched = (address: string) =>
      tool(`return urllib.request.urlopen("${address}", timeout=10).read().decode()`, sync);

    it("is what the list allows, and is counted", async () => {
      const result = await run(fetched(`http://${site}/berths`), { hosts: [site] });
      expect(result).toMatchObject({ ok: true, value: "GET /berths" });
      expect(result.traffic[0]!.hosts).toEqual([
        expect.objectContaining({ host: site, isRefused: false, requests: 1 }),
      ]);
    });

    it("is not what the list lacks, nor what is private", async () => {
      const other = await run(fetched(`http://${site}/`), { hosts: ["example.com"] });
      const message = `HTTP Error 403: This plugin is not allowed to reach ${site}`;
      expect(other).toMatchObject({ ok: false, error: { code: "threw", message } });
      expect(other.traffic[0]!.hosts).toEqual([expect.objectContaining({ host: site, isRefused: true })]);
      for (const place of ["127.0.0.1:9", "localhost:9", "[::1]:9", "169.254.169.254:80"]) {
        const refused = await run(fetched(`http://${place}/`), { hosts: ["*", "127.0.0.1:9", "localhost:9"] });
        expect(refused, place).toMatchObject({
          ok: false,
          error: { message: expect.stringContaining("403") as string },
        });
      }
    });

    it("has no other way out, where the system gives processes a network of their own", async () => {
      const source = tool(
        `
with socket.socket() as direct:
    direct.settimeout(5)
    try:
        direct.connect(("127.0.0.1", PORT))
    except OSError as error:
        return type(error).__name__
return "connected"`,
        sync,
      ).replace("PORT", site.split(":")[1]!);
      const { body } = await healthOf(runner.address);
      const walled = (body as { network_wall: boolean }).network_wall;
      expect(await run(source)).toMatchObject({ ok: true, value: walled ? "ConnectionRefusedError" : "connected" });
    });

    it("and calls end where the budget ends", async () => {
      const budget = { callsPerMinute: 2, secondsPerCall: null, bytesOutPerMinute: 50 };
      const source = fetched(`http://${site}/`);
      const once = () => run(source, { hosts: [site], budget, plugin: "tool/budget" });
      expect(await once()).toMatchObject({
        ok: false,
        error: { message: "HTTP Error 429: This plugin's budget of 50 bytes out a minute is used up" },
      });
      await once();
      expect(await once()).toMatchObject({
        ok: false,
        error: { code: "budget", message: "Its budget of 2 calls a minute is used up" },
      });
    });
  });

  describe("who may use it", () => {
    it("is who has the token", async () => {
      const stranger = connectTo("another token, not this one");
      const result = await callNative(runner, tool(`return 1`, sync), "run", {}, { host: stranger });
      expect(result).toMatchObject({
        ok: false,
        error: { code: "unavailable", message: expect.stringContaining("refuses the token") as string },
      });
      expect((await healthOf(runner.address, "wrong")).status).toBe(401);
      expect((await fetch(`${runner.address}/ping`)).status).toBe(200);
      const { status, body } = await healthOf(runner.address);
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: true, protocol: 1, max_processes: 8 });
    });

    it("answers other requests with an error, and takes no frame that breaks the protocol", async () => {
      const headers = { authorization: `Bearer ${token}` };
      for (const [path, status] of [
        ["/plugins/", 404],
        ["/x", 404],
        ["/plugins/a", 426],
      ] as const)
        expect((await fetch(`${runner.address}${path}`, { headers })).status).toBe(status);
      expect((await fetch(`${runner.address}/health`, { method: "POST", headers })).status).toBe(405);
      for (const text of ["{", "[]", '{"t":"call","id":1}', '{"t":"open"}', "null"]) {
        const socket = new WebSocket(`${runner.address.replace("http", "ws")}/plugins/x`, {
          headers,
        } as unknown as string[]);
        const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
        socket.addEventListener("open", () => socket.send(text));
        expect(await closed, text).toBe(1002);
      }
      expect(await run(tool(`return 1`, sync))).toMatchObject({ ok: true });
    });

    it("does not start without a token, or with a wrong option", async () => {
      await expect(startRunner({ RUNNER_TOKEN: "short" })).rejects.toThrow("at least 16 characters");
      await expect(startRunner({ RUNNER_MEMORY_MB: "lots" })).rejects.toThrow(
        "RUNNER_MEMORY_MB must be a number from 64",
      );
      await expect(startRunner({ RUNNER_LISTEN: "8710" })).rejects.toThrow("host:port");
      const taken = new URL(runner.address).host;
      await expect(startRunner({ RUNNER_LISTEN: taken })).rejects.toThrow(
        `The runner cannot listen at ${taken}: Address already in use`,
      );
    });
  });
});

async function healthOf(address: string, given = token): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${address}/health`, { headers: { authorization: `Bearer ${given}` } });
  return { status: response.status, body: await response.json() };
}
