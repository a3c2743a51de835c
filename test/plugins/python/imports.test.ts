import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readWheel } from "../../../src/plugins/packages/read-wheel.ts";
import type { PluginPackage } from "../../../src/plugins/plugin-host.ts";
import { makeWheel } from "../wheels.ts";
import { type PythonHost, type PythonOptions, startPythonHost } from "./python-host.ts";

const counting = `class Tools:
    def count(self, to: int) -> None:
        for _ in range(to):
            pass
`;

let host: PythonHost;
/** Until the first call of an isolate is answered, on this machine. Importing takes four times as long, what may go on without a pause three times. */
let startMs: number;
let cpuSeconds: number;
let large: PluginPackage;
beforeAll(async () => {
  const unhurried = await startPythonHost();
  const count = async (to: number) => {
    const begin = performance.now();
    expect(await unhurried.call(counting, "count", { to })).toMatchObject({ ok: true });
    return performance.now() - begin;
  };
  startMs = await count(0);
  const countMs = await count(1e6);
  await unhurried.stop();
  cpuSeconds = (3 * startMs) / 1000;
  large = makeLarge(Math.round((1e6 * 4 * startMs) / countMs / parts.length));
  host = await startPythonHost("", { cpuSeconds });
}, 120_000);
afterAll(() => host.stop());

const slow = { timeout: 180_000 };

function packageOf(name: string, files: Record<string, string>): PluginPackage {
  const filename = `${name}-1.0-py3-none-any.whl`;
  const bytes = makeWheel(name, "1.0", files);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const contents = readWheel(filename, bytes).index;
  return { name, version: "1.0", filename, sha256, contents, bytes: async () => bytes };
}

const parts = Array.from({ length: 1000 }, (_, n) => n);

/** Importing it takes longer than an isolate may go on without a pause: a few milliseconds for each module, which counts to `to`. */
const makeLarge = (to: number): PluginPackage =>
  packageOf("large", {
    "large/__init__.py": [
      ...parts.map((n) => `from .part${n} import value as value${n}`),
      `total = sum([${parts.map((n) => `value${n}`).join(", ")}])`,
    ].join("\n"),
    ...Object.fromEntries(parts.map((n) => [`large/part${n}.py`, `for _ in range(${to}): pass\nvalue = ${n}\n`])),
  });
const total = (parts.length * (parts.length - 1)) / 2;

const source = `import large

print("loaded")

class Tools:
    def __init__(self):
        self.calls = 0

    def total(self) -> list:
        self.calls += 1
        return [large.total, self.calls]
`;

const call = (fingerprint: string, options: PythonOptions = {}, code = source) =>
  host.call(code, "total", {}, { packages: [large], fingerprint, timeoutMs: 120_000, ...options });

it(
  "loads a package that takes longer than the limit, once for calls that come at once, and keeps it",
  slow,
  async () => {
    const begin = performance.now();
    const both = await Promise.all([call("at once"), call("at once")]);
    const cold = performance.now() - begin;
    // Else this shows nothing.
    expect(cold).toBeGreaterThan(cpuSeconds * 1000);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    expect(both.map((result) => "value" in result && result.value).toSorted()).toEqual([
      [total, 1],
      [total, 2],
    ]);
    expect(both.flatMap(({ logs }) => logs.map(({ text }) => text))).toEqual(["loaded"]);
    const again = await call("at once");
    expect(again).toMatchObject({ value: [total, 3], logs: [] });
  },
);

it("is loaded by the next call when the one that loaded it was cancelled, and when loading failed", slow, async () => {
  const endless = `import sys
from pathlib import Path

mark = Path("/tmp/begun")
if not mark.exists():
    mark.touch()
    while True:
        import large
        for name in [name for name in sys.modules if name.startswith("large")]:
            del sys.modules[name]
${source}`;
  const first = await call("cancelled", { signal: AbortSignal.timeout(Math.ceil(2 * startMs)) }, endless);
  expect(first).toMatchObject({ error: { code: "aborted" } });
  // It is still loading, until it pauses.
  expect(await call("cancelled", {}, endless)).toMatchObject({ value: [total, 1], logs: [{ text: "loaded" }] });
  const failing = `import time
from pathlib import Path

mark = Path("/tmp/tried")
if not mark.exists():
    mark.touch()
    time.sleep(0.2)
    raise ValueError("the first time")

class Tools:
    def total(self) -> str:
        return "loaded"
`;
  const results = await Promise.all([call("fails", {}, failing), call("fails", {}, failing)]);
  // Either may have been the first.
  expect(results.map((result) => (result.ok ? result.value : result.error.message)).toSorted()).toEqual([
    "loaded",
    "the first time",
  ]);
});

it("is described, also where parts of the package are looked into before", slow, async () => {
  const part = source.replace("import large\n", "import large\nfrom large.part1 import value\n");
  expect(await host.describe(part, [large])).toMatchObject({ problems: [], info: { specs: [{ name: "total" }] } });
});

it("is stopped all the same where a module loops", slow, async () => {
  const endless = packageOf("endless", { "endless/__init__.py": "import html\nwhile True:\n    pass\n" });
  const looping = source.replaceAll("large", "endless");
  const { info, problems } = await host.describe(looping, [endless]);
  expect(info).toBeUndefined();
  expect(problems).toMatchObject([{ severity: "error", message: expect.stringMatching(/stopped/) as string }]);
  const called = await call("loops", { packages: [endless] }, looping);
  expect(called).toMatchObject({ error: { code: "stopped" } });
});

it("lets nothing else of the call go on while an import pauses", slow, async () => {
  const threaded = `import threading

seen = []

def look():
    try:
        import large
        seen.append(hasattr(large, "total"))
    except BaseException as error:
        seen.append(repr(error))

threading.Thread(target=look).start()
import large

class Tools:
    def total(self) -> list:
        return seen
`;
  expect(await call("threads", {}, threaded)).toMatchObject({ ok: true });
  expect(await call("threads", {}, threaded)).toMatchObject({ value: [true] });
});
