import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PythonHost, startPythonHost } from "./python-host.ts";

let host: PythonHost;

beforeAll(async () => {
  host = await startPythonHost();
}, 120_000);

afterAll(() => host.stop());

const problemsOf = async (source: string) => {
  const { code, info, problems } = await host.describe(source, []);
  expect({ hasCode: code !== undefined, hasInfo: info !== undefined }).toEqual(
    problems.some(({ severity }) => severity === "error")
      ? { hasCode: false, hasInfo: false }
      : { hasCode: true, hasInfo: true },
  );
  return problems;
};
const text = (words: string) => expect.stringContaining(words) as string;

describe("what is wrong with a Python source", { timeout: 60_000 }, () => {
  it("is said at its place, before anything runs", async () => {
    expect(
      await problemsOf("import asyncio\n\nclass Pipe:\n    def pipe(self, body:\n        return 1\n"),
    ).toMatchObject([{ severity: "error", message: text("SyntaxError"), line: 4, column: 13 }]);
    expect(await problemsOf("class Tools:\n    def f(self):\n\treturn 1\n")).toMatchObject([
      { severity: "error", message: text("TabError"), line: 3 },
    ]);
    expect(await problemsOf("class Tools:\n    def f(self): return '\0'\n")).toMatchObject([{ severity: "error" }]);
  });

  it("names every module that is not to be had, wherever it is imported", async () => {
    const source = `import os, numpy
from langchain.chains import LLMChain
from open_webui.models.knowledge import Knowledges
from open_webui.env import DATABASE_URL, SRC_LOG_LEVELS
from . import sibling
try:
    import ujson
except ImportError:
    ujson = None
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import pandas

class Pipe:
    def pipe(self, body):
        import subprocess, bs4
        return 1
`;
    expect(await problemsOf(source)).toMatchObject([
      { severity: "warning", message: text("add the package numpy, made for Pyodide 314"), line: 1, package: "numpy" },
      { severity: "warning", message: text("The module langchain.chains is not available"), package: "langchain" },
      { severity: "warning", message: text("open_webui.models.knowledge is not available"), line: 3 },
      { severity: "warning", message: text("open_webui.env.DATABASE_URL is not available"), line: 4 },
      { severity: "error", message: text("relative"), line: 5 },
      { severity: "warning", message: text("ujson"), line: 7 },
      { severity: "warning", message: text("cannot start processes"), line: 16, column: 9 },
      { severity: "warning", message: text("add the package beautifulsoup4"), package: "beautifulsoup4" },
    ]);
  });

  it("names the package that has a module, also below a name that many share", async () => {
    const source = `"""
requirements: harbour-copilot-sdk, plain
"""
from google import genai, nowhere
import google.auth.transport.requests
from google.oauth2 import service_account
from google.cloud import storage
import googleapiclient.discovery, sqlalchemy, copilot, plain
import utils.misc
import config

class Tools: pass
`;
    const problems = await problemsOf(source);
    // What nobody could add stops it.
    expect(problems.flatMap(({ severity, line }) => (severity === "error" ? [line] : []))).toEqual([4, 9, 10]);
    const found = problems.filter(({ message }) => !message.startsWith("requirements")).map((each) => each.package);
    expect(found).toEqual([
      "google-genai",
      undefined,
      "google-auth",
      "google-auth",
      "google-cloud-storage",
      "google-api-python-client",
      "sqlalchemy",
      "harbour-copilot-sdk",
      "plain",
      undefined,
      undefined,
    ]);
  });

  it("tells requirements that nothing satisfies", async () => {
    const source = (list: string) =>
      `"""\ntitle: X\nrequirements: ${list}\n"""\nclass Tools:\n    def f(self):\n        return 1\n`;
    expect(await problemsOf(source("requests, Pydantic_Core>=2, httpx[http2]"))).toEqual([]);
    expect(await problemsOf(source("none"))).toEqual([]);
    expect(await problemsOf(source("typing, asyncio"))).toEqual([]);
    expect(await problemsOf(source("numpy==2.1, requests<2, ???"))).toMatchObject([
      { severity: "warning", message: text("numpy is not available"), line: 3, package: "numpy" },
      { severity: "warning", message: text("requests<2 was requested"), line: 3 },
      { severity: "warning", message: text("'???' is not a package name"), line: 3 },
    ]);
  });

  it("is said of classes and functions too", async () => {
    expect(await problemsOf("def pipe(body): return 1\n")).toMatchObject([
      { severity: "error", message: text("No class named Tools, Pipe, Filter or Action") },
    ]);
    const both = "class Tools:\n    def f(self): pass\nclass Pipe:\n    def pipe(self): pass\n";
    expect(await problemsOf(both)).toMatchObject([{ message: text("the classes Tools and Pipe") }]);
    expect(await problemsOf("class Pipe:\n    def pip(self): return 1\n")).toMatchObject([
      { severity: "error", message: text("pipe()"), line: 1 },
    ]);
    expect(await problemsOf("class Tools:\n    pass\n")).toMatchObject([
      { severity: "warning", message: text("no public function") },
    ]);
    // Older versions of Open WebUI took functions with one underscore.
    const old = "class Tools:\n    def _run(self, query: str): return query\n    def __own(self): pass\n";
    const { info } = await host.describe(old);
    expect(info!.specs.map(({ name }) => name)).toEqual(["_run"]);
    expect(await host.call(old, "_run", { query: "x" })).toMatchObject({ ok: true, value: "x" });
    expect(await problemsOf("class Pipe:\n    def pipe(self, body, __nonsense__): return 1\n")).toMatchObject([
      { severity: "warning", message: text("__nonsense__"), line: 2 },
    ]);
  });

  it("names the package that the source requires when an import fails in a call", async () => {
    const source = `"""
requirements: harbour-copilot-sdk
"""
class Pipe:
    def pipe(self, body):
        import copilot
`;
    expect(await host.call(source, "pipe", { body: {} })).toMatchObject({
      ok: false,
      error: { message: text("add the package harbour-copilot-sdk"), package: "harbour-copilot-sdk", line: 6 },
    });
  });

  it("has the line where loading fails", async () => {
    const failing =
      "import requests\n\nclass Pipe:\n    def __init__(self):\n        self.x = {}['key']\n    def pipe(self, body): return 1\n";
    expect(await problemsOf(failing)).toMatchObject([{ severity: "error", message: "KeyError: 'key'", line: 5 }]);
    const asking =
      "import requests\nMODELS = requests.get('https://example.com/').json()\nclass Pipe:\n    def pipe(self, body): return 1\n";
    expect(await problemsOf(asking)).toMatchObject([{ message: text("ConnectionError"), line: 2 }]);
    const valves =
      "from pydantic import BaseModel\nclass Pipe:\n    class Valves(BaseModel):\n        key: str\n    def __init__(self):\n        self.valves = self.Valves()\n    def pipe(self, body): return 1\n";
    expect(await problemsOf(valves)).toMatchObject([{ message: text("Field required"), line: 6 }]);
  });

  it("is nothing where a valve is required and the plugin waits for it to be set", async () => {
    const source =
      "from pydantic import BaseModel\nclass Pipe:\n    class Valves(BaseModel):\n        key: str\n        priority: int = 3\n    def pipe(self, body): return self.valves.key\n";
    const { info, problems } = await host.describe(source, []);
    expect(problems).toMatchObject([]);
    expect(info).toMatchObject({ valvesSchema: { required: ["key"] }, valveDefaults: { priority: 3 } });
    expect(await host.call(source, "pipe", { body: {} }, { valves: { key: "k" } })).toMatchObject({ value: "k" });
    expect(await host.call(source, "pipe", { body: {} })).toMatchObject({ ok: false, error: { code: "threw" } });
  });
});

describe("calls of Python plugins", { timeout: 60_000 }, () => {
  it("go on while others wait, also in synchronous code", async () => {
    const source = `
import asyncio, time
class Tools:
    def __init__(self):
        self.order = []
        self.gate = asyncio.Event()
    def sleeps(self, name: str, seconds: float):
        time.sleep(seconds)
        self.order.append(name)
        return list(self.order)
    async def waits(self):
        await self.gate.wait()
        return "opened"
    async def opens(self):
        self.gate.set()
`;
    const sleeps = (name: string, seconds: number) =>
      host.call(source, "sleeps", { name, seconds }, { fingerprint: "order" });
    await sleeps("first", 0);
    const [, , last] = await Promise.all([sleeps("slow", 0.6), sleeps("fast", 0.05), sleeps("middle", 0.3)]);
    expect(last).toMatchObject({ value: ["first", "fast", "middle"] });
    const waiting = host.call(source, "waits", {}, { fingerprint: "order" });
    await host.call(source, "opens", {}, { fingerprint: "order" });
    expect(await waiting).toMatchObject({ ok: true, value: "opened" });
  });

  it("end where nobody waits any more, in asynchronous and synchronous code, and may tidy up", async () => {
    const source = `
import asyncio, time
class Tools:
    def __init__(self):
        self.ended = []
    async def waits(self, __event_emitter__):
        try:
            await __event_emitter__({"type": "status", "data": {}})
            await asyncio.sleep(60)
        finally:
            self.ended.append("waits")
    def sleeps(self, __event_emitter__):
        try:
            asyncio.run(__event_emitter__({"type": "status", "data": {}}))
            time.sleep(60)
        finally:
            self.ended.append("sleeps")
    async def tell(self):
        for _ in range(200):
            if len(self.ended) == 2:
                break
            await asyncio.sleep(0.02)
        return sorted(self.ended)
`;
    const stop = async (method: string) => {
      const abort = new AbortController();
      const options = {
        fingerprint: "ends",
        signal: abort.signal,
        onEvent: () => setTimeout(() => abort.abort(), 100),
      };
      expect(await host.call(source, method, {}, options)).toMatchObject({ ok: false, error: { code: "aborted" } });
    };
    await stop("waits");
    await stop("sleeps");
    expect(await host.call(source, "tell", {}, { fingerprint: "ends" })).toMatchObject({ value: ["sleeps", "waits"] });
  });

  it("hold a generator back until what it made was taken", async () => {
    const source = `
class Pipe:
    def __init__(self):
        self.made = 0
    def pipe(self, body):
        for n in range(200):
            self.made = n + 1
            yield str(n)
`;
    const result = await host.call(source, "pipe", { body: {} }, { streams: true });
    expect(result).toMatchObject({ ok: true, streamed: true });
    expect(result.chunks).toEqual(Array.from({ length: 200 }, (_, n) => String(n)));
  });

  it("take any text, and give back what JSON can say", async () => {
    const source = `
import datetime, decimal, math, dataclasses, enum
from pydantic import BaseModel
class M(BaseModel):
    a: int = 1
@dataclasses.dataclass
class D:
    b: int = 2
class E(enum.Enum):
    C = "c"
class Tools:
    def echo(self, text: str):
        return text
    def odd(self):
        return {"nan": math.nan, 1: M(), "d": D(), "e": E.C, "s": {3}, "b": b"\\xff", "t": datetime.date(2026, 1, 2), "n": decimal.Decimal("1.5"), ("x",): 1}
    def loop(self):
        found = []
        found.append(found)
        return found
    def background(self, __event_emitter__):
        import asyncio
        asyncio.get_event_loop().create_task(__event_emitter__({"type": "status", "data": {}}))
        return "returned"
`;
    const texts = ["", "Grüße 🚢 中文", "a\ud800b", "\u0000\u2028</script>", "x".repeat(200_000)];
    for (const given of texts) expect(await host.call(source, "echo", { text: given })).toMatchObject({ value: given });
    expect(await host.call(source, "odd")).toMatchObject({
      value: { nan: null, 1: { a: 1 }, d: { b: 2 }, e: "c", s: [3], b: "\ufffd", t: "2026-01-02", n: 1.5, "('x',)": 1 },
    });
    expect(await host.call(source, "loop")).toMatchObject({ ok: false, error: { code: "threw" } });
    const background = await host.call(source, "background");
    expect(background).toMatchObject({ value: "returned", events: [{ type: "status" }] });
  });

  it("drop an event of a stream for which nothing is returned, and only that", async () => {
    const source =
      "class Filter:\n    def stream(self, event):\n        pass\n    def inlet(self, body):\n        body['x'] = 1\n";
    expect(await host.call(source, "stream", { event: { a: 1 } })).toMatchObject({ ok: true, value: null });
    expect(await host.call(source, "inlet", { body: {} })).toMatchObject({ value: { x: 1 } });
  });
});
