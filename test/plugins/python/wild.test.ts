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

  it("paths of Open WebUI from before it was a package", async () => {
    const source = `from utils.misc import get_last_user_message
class Tools:
    def words(self) -> str:
        from config import WEBUI_NAME
        return get_last_user_message([{"role": "user", "content": "Land ahoy"}])
`;
    expect(await problemsOf(source)).toMatchObject({ errors: [], info: { type: "tools" } });
    expect(await host.call(source, "words")).toMatchObject({ ok: true, value: "Land ahoy" });
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
  const { warnings } = await problemsOf("import PIL.Image\nimport google.genai\nclass Tools:\n    def f(self): pass\n");
  expect(warnings).toEqual([
    expect.stringMatching(/PIL.Image is not available: .* package pillow, made for Pyodide/),
    expect.stringMatching(/google.genai is not available: .* package google-genai$/),
  ]);
});

describe("what plugins import from Open WebUI", { timeout: 60_000 }, () => {
  const at = "/app/backend/data/uploads";
  const view = { id: "0192d3a0-0000-4000-8000-00000000000a", user_id: "u", filename: "chart.png", meta: { size: 3 } };

  it("keeps files that they make, as files of the caller under their own id", async () => {
    const source = `import io, uuid
from open_webui.models.files import Files, FileForm
from open_webui.storage.provider import Storage
from open_webui.models.users import User, Users
class Tools:
    async def draw(self, __user__: dict, __request__=None) -> str:
        id = str(uuid.UUID("0192D3A0-0000-4000-8000-00000000000A"))
        contents, path = Storage.upload_file(io.BytesIO(b"PNG"), f"{id}_chart.png", {})
        form = FileForm(id=id, filename="chart.png", path=path, meta={"name": "chart.png", "content_type": "image/png", "size": len(contents)})
        file = await Files.insert_new_file(__user__["id"], form)
        return [file.id, path, __request__.app.url_path_for("get_file_content_by_id", id=file.id)]
`;
    expect((await problemsOf(source)).warnings).toEqual([]);
    const result = await host.call(
      source,
      "draw",
      {},
      {
        rights: { "file.create": (given: { id: string }) => ({ ...view, id: given.id }) },
        reserved: { __user__: { id: "somebody-else" }, __request__: { url: "http://parley.example/api/chat" } },
      },
    );
    expect(result).toMatchObject({
      ok: true,
      value: [view.id, `${at}/${view.id}_chart.png`, `/api/v1/files/${view.id}/content`],
    });
    expect(result.requests).toEqual([
      ["file.create", { id: view.id, name: "chart.png", content_type: "image/png", base64: btoa("PNG") }],
    ]);
  });

  it("finds models, the address of the service and no credentials in the request", async () => {
    const source = `class Tools:
    def look(self, __request__):
        app = __request__.app
        models = app.state.MODELS
        found = ["m1" in models, models["m1"]["name"], models.get("gone"), sorted(models), len(models)]
        refused = []
        for read in [
            lambda: app.state.config.OPENAI_API_KEYS,
            lambda: app.state.redis,
            lambda: __request__.state.token,
            lambda: __request__.headers["authorization"],
        ]:
            try:
                read()
            except Exception as error:
                refused.append(f"{type(error).__name__}: {error}")
        __request__.state.mine = 1
        return [found, app.state.config.WEBUI_URL, app.state.config.WEBUI_NAME, __request__.state.mine, refused]
`;
    const rights = {
      "model.list": [
        { id: "m1", name: "One" },
        { id: "m2", name: "Two" },
      ],
    };
    const reserved = { __request__: { url: "https://parley.example/api/chat/completions" } };
    const result = await host.call(source, "look", {}, { rights, reserved });
    expect(result).toMatchObject({
      ok: true,
      value: [
        [true, "One", null, ["m1", "m2"], 2],
        "https://parley.example",
        "Parley",
        1,
        [
          "AttributeError: request.app.state.config.OPENAI_API_KEYS is not available to plugins",
          "AttributeError: request.app.state.redis is not available to plugins",
          "AttributeError: request.state.token is not available to plugins",
          "KeyError: 'authorization'",
        ],
      ],
    });
    // They are asked for once, and only by who reads them.
    expect(result.requests).toEqual([["model.list", {}]]);
  });

  it("reads files of the caller by their path, and none of others", async () => {
    const source = `from open_webui.models.files import Files
class Tools:
    def read(self, id: str):
        file = Files.get_file_by_id(id)
        return None if file is None else [file.filename, open(file.path, "rb").read().decode(), file.data["content"]]
`;
    const rights = {
      "file.get": ({ id }: { id: string }) => {
        if (id !== view.id) throw new Error("No such file");
        return { ...view, data: { content: "words" } };
      },
      "file.read": () => ({ file: view, base64: btoa("abc") }),
    };
    expect(await host.call(source, "read", { id: view.id }, { rights })).toMatchObject({
      ok: true,
      value: ["chart.png", "abc", "words"],
    });
    expect(await host.call(source, "read", { id: "another" }, { rights })).toMatchObject({ ok: true, value: null });
  });

  it("remembers for the caller", async () => {
    const source = `from open_webui.routers.memories import add_memory, AddMemoryForm, query_memory, QueryMemoryForm
from open_webui.models.memories import Memories
class Tools:
    async def remember(self, __request__=None, __user__=None):
        memory = await add_memory(request=__request__, form_data=AddMemoryForm(content="Likes tea"), user=__user__)
        matches = await query_memory(request=__request__, form_data=QueryMemoryForm(content="tea", k=2), user=__user__)
        return [memory.id, matches.documents[0], [each.content for each in Memories.get_memories_by_user_id("x")]]
`;
    const memory = { id: "m", content: "Likes tea", type: "context", path: null };
    const { ok, requests, ...rest } = await host.call(
      source,
      "remember",
      {},
      {
        rights: {
          "memory.add": memory,
          "memory.query": { ids: [["m"]], documents: [["Likes tea"]], metadatas: [[{}]], distances: [[1]] },
          "memory.list": [memory],
        },
      },
    );
    expect({ ok, ...rest }).toMatchObject({ ok: true, value: ["m", ["Likes tea"], ["Likes tea"]] });
    expect(requests).toEqual([
      ["memory.add", { content: "Likes tea", type: "context" }],
      ["memory.query", { content: "tea", k: 2 }],
      ["memory.list", {}],
    ]);
  });

  it("fails only where it is used, by name, if it cannot be given; and leaves other ways open", async () => {
    const source = `from open_webui.models.knowledge import Knowledges, KnowledgeForm
from open_webui.internal.db import Base, get_db
from open_webui.env import DATABASE_URL
from open_webui import models
from fastapi import WebSocket, APIRouter
try:
    from open_webui.models.notes import Notes
except ImportError:
    Notes = None
try:
    from open_webui.models.users import UserGroups
except ImportError:
    UserGroups = "none"
class Record(Base):
    pass
class Tools:
    def fine(self, form: KnowledgeForm = None, socket: WebSocket = None):
        return [Notes, UserGroups, models.users.Users is not None]
    def list(self):
        return Knowledges.get_knowledge_bases_by_user_id("x")
    def database(self):
        with get_db() as db:
            return db
    def address(self):
        return "sqlite:" + DATABASE_URL
`;
    const { errors, warnings } = await problemsOf(source);
    expect(errors).toEqual([]);
    expect(warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^open_webui\.internal\.db needs sqlalchemy, which is not available/),
        expect.stringContaining("fastapi.WebSocket is not available: using it fails"),
      ]),
    );
    expect(await host.call(source, "fine")).toMatchObject({ ok: true, value: [null, "none", true] });
    const message = async (method: string) => {
      const result = await host.call(source, method);
      return result.ok ? result.value : result.error.message;
    };
    expect(await message("list")).toBe(
      "open_webui.models.knowledge.Knowledges.get_knowledge_bases_by_user_id is not available to plugins",
    );
    expect(await message("database")).toMatch(/open_webui\.internal\.db needs the package sqlalchemy/);
    expect(await message("address")).toBe("open_webui.env.DATABASE_URL is not available to plugins");
  });

  it("memory, which the host tells at the end of a call", async () => {
    const told: number[] = [];
    const source = "class Tools:\n    def f(self, n: int):\n        self.kept = bytearray(n)\n        return n\n";
    const onTraffic = ({ memory }: { memory: number }) => void told.push(memory);
    for (const n of [1, 200_000_000]) await host.call(source, "f", { n }, { onTraffic });
    expect(told).toHaveLength(2);
    expect(told[0]).toBeGreaterThan(5_000_000);
    expect(told[1]! - told[0]!).toBeGreaterThan(50_000_000);
  });
});
