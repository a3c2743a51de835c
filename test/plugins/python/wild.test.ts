import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PythonHost, startPythonHost } from "./python-host.ts";

let host: PythonHost;

beforeAll(async () => {
  host = await startPythonHost();
}, 120_000);

afterAll(() => host.stop());

/** The messages of what keeps a source from being saved, and of what is only worth knowing. */
async function problemsOf(source: string) {
  const { info, problems } = await host.describe(source, []);
  const of = (severity: string) => problems.filter((each) => each.severity === severity).map(({ message }) => message);
  return { info, errors: of("error"), warnings: of("warning") };
}

describe("what plugins of other people do, and may", { timeout: 60_000 }, () => {
  it.each([
    ["imports in functions", "def f():\n    import nowhere_at_all\n"],
    ["imports for scripts", 'if __name__ == "__main__":\n    import nowhere_at_all\n'],
    [
      "imports after a look",
      'import importlib.util\nif importlib.util.find_spec("nowhere_at_all"):\n    import nowhere_at_all\n',
    ],
    [
      "imports that may fail",
      "from contextlib import suppress\nwith suppress(ImportError):\n    import nowhere_at_all\n",
    ],
    ["pins of what is built in", '"""\nrequirements: requests==2.20.0, pydantic==1.10\n"""\n'],
    ["requirements that nobody has", '"""\nrequirements: nowhere-at-all>=3\n"""\n'],
  ])("%s", async (_, head) => {
    const { info, errors } = await problemsOf(`${head}\nclass Tools:\n    def f(self):\n        return 1\n`);
    expect(errors).toEqual([]);
    expect(info?.type).toBe("tools");
  });

  it("names for data beside the plugin's own class", async () => {
    const source = `from pydantic import BaseModel
class Action(BaseModel):
    kind: str
class Filter(BaseModel):
    field: str = ""
class Pipe:
    def pipe(self, body):
        return Action(kind="x").kind
`;
    expect(await problemsOf(source)).toMatchObject({ errors: [], info: { type: "pipe" } });
    expect(await host.call(source, "pipe", { body: {} })).toMatchObject({ ok: true, value: "x" });
  });

  it("a filter that is only a switch", async () => {
    const source = "class Filter:\n    def __init__(self):\n        self.toggle = True\n";
    expect(await problemsOf(source)).toMatchObject({ errors: [], info: { type: "filter", toggle: true, hooks: [] } });
    expect((await problemsOf("class Filter:\n    pass\n")).errors).toHaveLength(1);
  });

  it("a constructor that asks somebody over the network", async () => {
    const source = `import requests
from pydantic import BaseModel
class Tools:
    class Valves(BaseModel):
        key: str = "k"
    def __init__(self):
        self.valves = self.Valves()
        self.models = requests.get("https://models.example/").json()
    def f(self) -> int:
        return 1
`;
    const { info, errors } = await problemsOf(source);
    expect(errors).toEqual([]);
    expect(info).toMatchObject({ valveDefaults: { key: "k" }, specs: [{ name: "f" }] });
    const other = source.replace('requests.get("https://models.example/").json()', "{}['missing']");
    expect((await problemsOf(other)).errors).toEqual([expect.stringContaining("KeyError")]);
    // When it runs, the failure is its own.
    expect(await host.call(source, "f")).toMatchObject({ ok: false, error: { name: "ConnectionError" } });
  });

  it("its own source, read from its file", async () => {
    const source = 'class Tools:\n    def f(self):\n        return open(__file__).read().count("class Tools")\n';
    expect(await host.call(source, "f")).toMatchObject({ ok: true, value: 2 });
  });

  it("reserved parameters that nobody knows: they are None", async () => {
    const source = "class Tools:\n    def f(self, __own__, __user__=None):\n        return __own__ is None\n";
    const { warnings, errors } = await problemsOf(source);
    expect([warnings, errors]).toEqual([[expect.stringContaining("__own__")], []]);
    expect(await host.call(source, "f", {})).toMatchObject({ ok: true, value: true });
  });

  it("long sources", async () => {
    const table = `TABLE = {\n${Array.from({ length: 20_000 }, (_, index) => `    "key${index}": "${"x".repeat(60)}",\n`).join("")}}\n`;
    const source = `${table}class Tools:\n    def f(self):\n        return len(TABLE)\n`;
    expect(source.length).toBeGreaterThan(1_500_000);
    expect((await problemsOf(source)).errors).toEqual([]);
    expect(await host.call(source, "f")).toMatchObject({ ok: true, value: 20_000 });
  });
});

it("what a missing package lacks itself is told", async () => {
  const { errors } = await problemsOf("import PIL.Image\nimport google.genai\nclass Tools: pass\n");
  expect(errors).toEqual([
    expect.stringMatching(/PIL.Image is not available: .* package pillow, made for Pyodide/),
    expect.stringMatching(/google.genai is not available: .* package google-genai$/),
  ]);
});
