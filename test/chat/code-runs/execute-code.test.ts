import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { AnswerText } from "../../../src/chat/answer-text.ts";
import type { CodeRun } from "../../../src/chat/code-runs/schema.ts";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { runTurn } from "../../../src/chat/run-turn.ts";
import { settings } from "../../../src/db/tables.ts";
import { newId } from "../../../src/lib/id.ts";
import { defaultOrganizationId } from "../../../src/people/organizations/default-organization.ts";
import { organizations } from "../../../src/people/organizations/tables.ts";
import { type StartedHost, startHost } from "../../plugins/host/start-host.ts";
import { makeWheel } from "../../plugins/wheels.ts";
import type { Person, World } from "../../world.ts";
import { createToolWorld, type ToolWorld } from "../tools/scripted-upstream.ts";

const path = "/api/v1/utils/code/execute";
let host: StartedHost;
let tools: ToolWorld;
let world: World;
let ada: Person;
let bo: Person;

beforeAll(async () => {
  host = await startHost({ python: true, limits: { cpuSeconds: 5, wallSeconds: 15, memory: 900e6 } });
  tools = await createToolWorld();
  ({ world } = tools);
  world.services.plugins = host.host;
  [ada, bo] = [await world.person(), await world.person()];
}, 120_000);
afterAll(async () => {
  await world.close();
  await host.stop();
});

const run = async (code: string, more: object = {}, as: Person = ada): Promise<CodeRun> => {
  const { status, body } = await world.call<CodeRun>(path, { as, json: { code, ...more } });
  expect([status, body]).toEqual([200, body]);
  return body;
};
const set = (name: string, value: unknown) =>
  world.db
    .insert(settings)
    .values({ name, value, updatedAt: world.services.now() })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
const unset = (name: string) => world.db.delete(settings).where(eq(settings.name, name));
/** For code that does not end by itself; other runs may take their time on a busy machine, and its beginning as well. */
async function endRunsEarly(): Promise<void> {
  const begin = performance.now();
  await run("1 + 1");
  await set("CODE_EXECUTION_TIMEOUT", Math.max(5, Math.ceil((4 * (performance.now() - begin)) / 1000)));
  onTestFinished(async () => void (await unset("CODE_EXECUTION_TIMEOUT")));
}
const upload = async (name: string, text: string, as: Person): Promise<string> => {
  const form = new FormData();
  form.append("file", new Blob([text], { type: "text/plain" }), name);
  const response = await world.request("/api/v1/files/?process=false", { as, method: "POST", body: form });
  return ((await response.json()) as { id: string }).id;
};

describe("Python that a person runs", () => {
  test("prints, gives the value of its last line, and says where it fails", async () => {
    const done = await run("import sys\nprint('Ahoy ✓')\nprint('careful', file=sys.stderr)\n[n * n for n in range(4)]");
    expect(done).toMatchObject({
      stdout: "Ahoy ✓\n",
      stderr: "careful\n",
      result: "[0, 1, 4, 9]",
      error: null,
      files: [],
    });
    const failed = await run("def sail():\n    return 1 / 0\n\nprint('before')\nsail()");
    expect(failed).toMatchObject({ stdout: "before\n", error: { name: "ZeroDivisionError", line: 2 } });
    expect(failed.error?.traceback).toContain('File "code.py", line 5');
    expect(failed.error?.traceback).not.toContain("plugin");
    expect(await run("x = 1\nif x:\nprint(x)")).toMatchObject({ error: { name: "IndentationError", line: 3 } });
    expect(await run("import asyncio\nawait asyncio.sleep(0.01)\nexit()")).toMatchObject({ error: null, result: "" });
    expect(await run("input('name?')")).toMatchObject({ error: { name: "EOFError", line: 1 } });
    expect(await run("")).toMatchObject({ stdout: "", result: "", error: null });
  });

  test("reads the files that it is given by name, and what it writes comes back; nothing is kept for the next run", async () => {
    const id = await upload("ships.csv", "name\nPinta\n", ada);
    const code = "rows = open('ships.csv').read()\nopen('out.svg', 'w').write('<svg/>')\nrows";
    const { result, files } = await run(code, { files: [id] });
    expect(result).toBe("'name\\nPinta\\n'");
    expect(files).toEqual([{ name: "out.svg", content_type: "image/svg+xml", size: 6, base64: btoa("<svg/>") }]);
    expect(await run("import os\nsorted(os.listdir('.'))")).toMatchObject({ result: "[]" });
    expect((await world.call(path, { as: bo, json: { code: "1", files: [id] } })).status).toBe(404);
    for (const stream of [true, false])
      expect((await world.call(path, { as: ada, json: { code: "1", files: ["nothing"], stream } })).status).toBe(404);
    const big = await run("open('a.bin', 'wb').write(bytes(4_000_000))\nopen('b.bin', 'wb').write(bytes(4_000_000))");
    expect([big.files.map(({ name }) => name), big.left_out]).toEqual([["a.bin"], ["b.bin"]]);
  });

  test("draws with matplotlib where it is uploaded", async () => {
    // As matplotlib does it: the backend is that of the environment, fonts are kept in a folder at home, figures have numbers
    // of their own, and what saves one draws it. Only the drawing is missing.
    const matplotlib = `
import os, pathlib
backend = os.environ["MPLBACKEND"].lower()
cache = pathlib.Path.home() / ".matplotlib"
cache.mkdir(parents=True, exist_ok=True)
(cache / "fontlist.json").write_text("{}")
`;
    const agg = `
class FigureCanvasAgg:
    def __init__(self, figure):
        self.figure = figure
    def print_png(self, file, **kwargs):
        with open(file, "wb") as out:
            out.write(bytes.fromhex("89504e470d0a1a0a") + repr(self.figure.lines).encode())
`;
    const pyplot = `
import importlib, matplotlib
_canvas = getattr(importlib.import_module(f"matplotlib.backends.backend_{matplotlib.backend}"), "FigureCanvasAgg")
_figures = {}
class Figure:
    def __init__(self):
        self.lines = []
        self.canvas = _canvas(self)
    def savefig(self, file, *, format=None, bbox_inches=None, dpi="figure"):
        getattr(self.canvas, f"print_{format}")(file)
def figure(num=None):
    num = max(_figures, default=0) + 1 if num is None else num
    _figures[num] = _figures.pop(num, None) or Figure()
    return _figures[num]
def get_fignums():
    return sorted(_figures)
def plot(*values):
    (_figures[list(_figures)[-1]] if _figures else figure()).lines.append(values)
def show(*args, **kwargs):
    raise RuntimeError("FigureCanvasAgg is non-interactive, and thus cannot be shown")
def close(which=None):
    _figures.clear()
`;
    const wheel = makeWheel("matplotlib", "3.0.0", {
      "matplotlib/__init__.py": matplotlib,
      "matplotlib/backends/__init__.py": "",
      "matplotlib/backends/backend_agg.py": agg,
      "matplotlib/pyplot.py": pyplot,
    });
    const form = new FormData();
    form.append("file", new Blob([wheel]), "matplotlib-3.0.0-py3-none-any.whl");
    const stored = await world.request("/api/v1/plugins/packages", {
      as: await world.admin(),
      method: "POST",
      body: form,
    });
    expect(stored.status).toBe(200);
    const { files, error } = await run(
      "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\nplt.figure(7)\nplt.plot([2])\nplt.figure(3)\nplt.plot([3])",
    );
    expect(error).toBeNull();
    const drawn = (base64: string) => Buffer.from(base64, "base64").subarray(8).toString();
    expect(files.map(({ name, content_type: type, base64 }) => [name, type, drawn(base64)])).toEqual([
      ["plot-1.png", "image/png", "[([1],)]"],
      ["plot-2.png", "image/png", "[([3],)]"],
      ["plot-3.png", "image/png", "[([2],)]"],
    ]);
  });

  test("tells its output as it comes, and at last the whole run", async () => {
    const code = "import time\nfor n in range(10):\n    print(n)\n    time.sleep(0.4)";
    const response = await world.request(path, { as: ada, json: { code, stream: true } });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = (await response.text())
      .match(/^data: .*$/gm)!
      .map((line) => JSON.parse(line.slice(6)) as { type: string });
    expect(events.filter(({ type }) => type === "output").length).toBeGreaterThan(1);
    expect(events.at(-1)).toMatchObject({ type: "end", run: { stdout: "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n" } });
  });

  test("is for those who may: permission, switch, organization; and wrong bodies are refused", async () => {
    const status = async (json: unknown, as?: Person) =>
      (await world.call(path, { ...(as ? { as } : {}), json })).status;
    expect(await status({ code: "1" })).toBe(401);
    expect(await status({}, ada)).toBe(422);
    expect(await status({ code: "x".repeat(200_001) }, ada)).toBe(422);
    expect(await status({ code: "1", files: Array.from({ length: 21 }, () => "x") }, ada)).toBe(422);
    await set("permissions.default", { features: { code_execution: false } });
    expect(await status({ code: "1" }, ada)).toBe(403);
    await unset("permissions.default");
    await set("ENABLE_CODE_EXECUTION", false);
    expect(await status({ code: "1" }, ada)).toBe(403);
    await unset("ENABLE_CODE_EXECUTION");
    const isDefault = eq(organizations.id, defaultOrganizationId);
    await world.db
      .update(organizations)
      .set({ features: { code_execution: false } })
      .where(isDefault);
    expect(await status({ code: "1" }, ada)).toBe(403);
    await world.db.update(organizations).set({ features: {} }).where(isDefault);
    expect(await status({ code: "1" }, ada)).toBe(200);
  });
});

describe("what hostile Python gets", () => {
  test("of the network and the machine: nothing", async () => {
    const code = `
import os, socket, subprocess, urllib.request
told = {}
def attempt(name, work):
    try:
        told[name] = repr(work())[:80]
    except BaseException as error:
        told[name] = "refused"
attempt("url", lambda: urllib.request.urlopen("http://127.0.0.1:80/").read())
attempt("requests", lambda: __import__("requests").get("http://example.com").status_code)
attempt("socket", lambda: socket.create_connection(("127.0.0.1", 80), 1).recv(1))
attempt("fork", lambda: os.fork())
attempt("spawn", lambda: subprocess.run(["ls"]))
attempt("system", lambda: os.execv("/bin/sh", ["sh"]))
attempt("files", lambda: open("/etc/passwd").read() if "root" in open("/etc/passwd").read() else 1 / 0)
attempt("js", lambda: __import__("js").fetch("http://example.com"))
attempt("run_js", lambda: __import__("pyodide.code").code.run_js("1"))
attempt("keys", lambda: [k for k in os.environ if "KEY" in k or "TOKEN" in k][0])
attempt("chats", lambda: __import__("open_webui.models.chats").models.chats.Chats.get_chat_by_id("x").id)
told`;
    const { result, error } = await run(code);
    expect(error).toBeNull();
    const told = Object.fromEntries([...result.matchAll(/'(\w+)': '([^']*)'/g)].map(([, name, said]) => [name, said]));
    expect(Object.keys(told)).toHaveLength(11);
    expect(Object.entries(told).filter(([, said]) => said !== "refused")).toEqual([]);
  });

  test("a loop ends with its time, and what it printed is there; one that never pauses is stopped", async () => {
    await endRunsEarly();
    const loop = await run("print('begun')\nn = 0\nwhile True:\n    n += 1");
    expect(loop).toMatchObject({ stdout: "begun\n", error: { name: "timeout" } });
    const still = await run("sum(range(10 ** 15))");
    expect(still.error?.name).toMatch(/^(?:stopped|timeout)$/);
    const stubborn = await run("while True:\n    try:\n        while True: pass\n    except BaseException: pass");
    expect(stubborn.error?.name).toMatch(/^(?:stopped|timeout)$/);
    // The next run of the same person and of others goes on.
    expect(await run("1 + 1", {}, bo)).toMatchObject({ result: "2" });
  });

  test("memory ends with an error, not with the service", async () => {
    expect((await run("def deep():\n    deep()\ndeep()")).error?.name).toBe("RecursionError");
    await endRunsEarly();
    const { error } = await run("chunks = []\nwhile True:\n    chunks.append(bytearray(20_000_000))");
    expect(error?.name).toMatch(/^(?:MemoryError|stopped)$/);
    const flood = await run("while True:\n    print('x' * 100_000)");
    expect(flood.stdout.length).toBeLessThan(500_000);
  });

  test("nothing of other people's runs, before, beside or after", async () => {
    const secret =
      "import builtins, sys, os\nbuiltins.secret = 'harbour'\nopen('/tmp/secret', 'w').write('harbour')\nos.environ['SECRET'] = 'harbour'";
    await run(secret);
    const look =
      "import builtins, os\n[hasattr(builtins, 'secret'), os.path.exists('/tmp/secret'), 'SECRET' in os.environ]";
    const [own, other] = await Promise.all([run(look), run(look, {}, bo)]);
    expect([own.result, other.result]).toEqual(["[False, False, False]", "[False, False, False]"]);
  });

  test("lies about its own result are read as its own words", async () => {
    const forge = `
import sys, gc
for each in gc.get_objects():
    if type(each).__name__ == "Teller":
        each._parts.append(["stdout", 5]); each._parts.append(["elsewhere", "x"])
print("fine")`;
    const { error } = await run(forge);
    expect(error === null || typeof error.name === "string").toBe(true);
    const tools = `
import sys
from plugin_harness.calls import CURRENT
call = CURRENT.get()
import asyncio
told = []
for name in ("file.create", "chat.get", "user.get", "completion.create"):
    try:
        await call.ask_host("request", name, "{}")
        told.append(name)
    except RuntimeError: pass
told`;
    expect((await run(tools)).result).toBe("[]");
  });
});

describe("code that a model runs", () => {
  /** A turn of the web page, run as a coordinator does. */
  async function turn(body: object) {
    const { status, body: said } = await world.call("/api/chat/completions", {
      as: ada,
      json: {
        model: "scripted",
        session_id: "s",
        id: newId(),
        parent_id: null,
        user_message: { id: newId(), content: "Count the ships" },
        ...body,
      },
    });
    expect([status, said]).toEqual([200, said]);
    const start = world.live.runs.pop()!;
    await runTurn(
      world.services,
      start,
      new AnswerText(start.continueFrom),
      { ended: () => undefined },
      new AbortController(),
    );
    await world.settled();
    const { chat } = (await world.call<ChatResponse>(`/api/v1/chats/${start.chatId}`, { as: ada })).body;
    return chat.history.messages[start.messageId] as unknown as Record<string, unknown>;
  }
  const features = { code_interpreter: true };
  const namesOf = (asked: Record<string, unknown> | undefined) =>
    ((asked?.["tools"] ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);

  test("reads the question's files, shows each run, tells the model, and keeps what it writes with the chat", async () => {
    const id = await upload("ships.csv", "name\nPinta\nNina\n", ada);
    const code =
      "rows = open('ships.csv').read().split()\nprint(len(rows) - 1)\nopen('count.png', 'wb').write(bytes.fromhex('89504e470d0a1a0a'))\nNone";
    const { asked } = tools.play(
      { calls: [{ name: "execute_code", args: { code } }] },
      { calls: [{ name: "execute_code", args: { code: "1 / 0" } }] },
      { content: "Two ships." },
    );
    const message = await turn({ features, files: [{ type: "file", id, name: "ships.csv" }] });
    expect(namesOf(asked[0])).toEqual(["execute_code"]);
    expect(asked[0]).not.toHaveProperty("features");
    const told = (asked[2]!["messages"] as { role: string; content: string }[]).filter(({ role }) => role === "tool");
    expect(JSON.parse(told[0]!.content)).toEqual({ stdout: "2\n", files: ["count.png"] });
    expect(JSON.parse(told[1]!.content)).toMatchObject({
      line: 1,
      error: expect.stringContaining("ZeroDivisionError") as string,
    });
    expect(message["content"]).toBe("Two ships.");
    const [first] = message["output"] as Record<string, unknown>[];
    expect(first).toMatchObject({
      name: "execute_code",
      source: { kind: "built-in", id: "code_interpreter" },
      state: "done",
    });
    const [file] = message["files"] as { id: string; url: string; type: string }[];
    expect(file).toMatchObject({ type: "image", name: "count.png", size: 8 });
    const read = (as: Person) => world.request(`/api/v1/files/${file!.id}/content`, { as });
    expect([(await read(ada)).status, (await read(bo)).status]).toEqual([200, 404]);
  });

  test("is offered only where the person asks for it, may, and the model is not excluded", async () => {
    const offered = async (body: object): Promise<boolean> => {
      const { asked } = tools.play({ content: "Hi" });
      await world.call("/api/chat/completions", {
        as: ada,
        json: { model: "scripted", messages: [{ role: "user", content: "Hello" }], ...body },
      });
      return namesOf(asked[0]).includes("execute_code");
    };
    expect(await offered({ features })).toBe(true);
    expect(await offered({})).toBe(false);
    expect(await offered({ features: { code_interpreter: "true" } })).toBe(false);
    expect(await offered({ features, tools: [] })).toBe(false);
    expect(await offered({ features, chat_id: "channel:1", id: "m" })).toBe(false);
    const set = (name: string, value: unknown) =>
      world.db.insert(settings).values({ name, value, updatedAt: world.services.now() });
    await set("ENABLE_CODE_INTERPRETER", false);
    expect(await offered({ features })).toBe(false);
    await unset("ENABLE_CODE_INTERPRETER");
    await set("permissions.default", { features: { code_interpreter: false } });
    expect(await offered({ features })).toBe(false);
    await unset("permissions.default");
    await world.call("/api/v1/models/create", {
      as: await world.admin(),
      json: {
        id: "careful",
        base_model_id: "scripted",
        name: "Careful",
        meta: { capabilities: { code_interpreter: false } },
        params: {},
        access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
      },
    });
    expect(await offered({ features, model: "careful" })).toBe(false);
    expect(await offered({ features })).toBe(true);
  });
});
