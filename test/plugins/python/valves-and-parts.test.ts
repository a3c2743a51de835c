import { afterAll, beforeAll, expect, it } from "vitest";
import { readWheel } from "../../../src/plugins/packages/read-wheel.ts";
import { makeWheel } from "../wheels.ts";
import { type PythonHost, startPythonHost } from "./python-host.ts";

let host: PythonHost;
beforeAll(async () => {
  host = await startPythonHost();
}, 120_000);
afterAll(() => host.stop());

const rights = {
  "plugin.valves": ({ family, id }: { family: string; id: string }) => {
    if (id === "other") throw new Error("A plugin can read its own settings only");
    return id === "own" ? { family, LEVEL: 3 } : null;
  },
  "plugin.user_valves": ({ user_id: id }: { user_id: string }) => ({ of: id }),
  "user.get": ({ id }: { id?: string }) => {
    if (id === "nobody") throw new Error("Not found");
    return { id: "u1", name: "Ada", email: "ada@harbour.example", role: "admin" };
  },
};

it("gives a plugin its own settings, also in its constructor", async () => {
  const source = `from open_webui.models.functions import Functions
from open_webui.models.tools import Tools as ToolTable

class Filter:
    def __init__(self):
        self.level = (Functions.get_function_valves_by_id("own") or {}).get("LEVEL")
    def inlet(self, body: dict) -> dict:
        try:
            other = Functions.get_function_valves_by_id("other")
        except RuntimeError as error:
            other = str(error)
        return {
            "level": self.level,
            "other": other,
            "unknown": Functions.get_function_valves_by_id("unknown"),
            "user": Functions.get_user_valves_by_id_and_user_id("own", "u1"),
            "tool": ToolTable.get_tool_valves_by_id("own")["family"],
        }
`;
  expect(await host.describe(source)).toMatchObject({ info: { type: "filter" } });
  expect(await host.call(source, "inlet", { body: {} }, { rights })).toMatchObject({
    ok: true,
    value: {
      level: 3,
      other: "A plugin can read its own settings only",
      unknown: null,
      user: { of: "u1" },
      tool: "tool",
    },
  });
});

it("lets sources wait for what tables answer, together and where there is nothing", async () => {
  const source = `import asyncio
from open_webui.models.users import Users
from open_webui.models.functions import Functions

class Tools:
    async def go(self) -> list:
        one, two = await asyncio.gather(Users.get_user_by_id("u1"), Users.get_user_by_id("u1"))
        nobody = await Users.get_user_by_id("nobody")
        valves = await Functions.get_function_valves_by_id("unknown") or {}
        return [one.name, two.id, nobody, valves]
`;
  expect(await host.call(source, "go", {}, { rights })).toMatchObject({ ok: true, value: ["Ada", "u1", null, {}] });
});

it("drops events without a type, and says so", async () => {
  const source = `class Tools:
    async def go(self, __event_emitter__) -> dict:
        await __event_emitter__({"description": "halfway", "done": False})
        await __event_emitter__({"type": "status", "data": {"description": "done"}})
        # Plugins of Open WebUI read the message from the first thing that it closes over.
        return __event_emitter__.__closure__[0].cell_contents
`;
  const reserved = { __message_id__: "m1", __chat_id__: "c1", __session_id__: "s1" };
  const result = await host.call(source, "go", {}, { reserved });
  expect(result).toMatchObject({
    ok: true,
    value: { message_id: "m1", chat_id: "c1", session_id: "s1" },
    events: [{ type: "status" }],
  });
  expect(result.logs).toMatchObject([{ level: "warning", text: expect.stringContaining("without a type") as string }]);
});

it("adds files to the message that it works on, and to no other", async () => {
  const source = `from open_webui.models.chats import Chats

class Tools:
    def go(self) -> list:
        found = Chats.add_message_files_by_id_and_message_id("c1", "m1", [{"type": "image", "url": "/b"}])
        try:
            Chats.add_message_files_by_id_and_message_id("c1", "m2", [])
        except NotImplementedError as error:
            return [found, str(error)]
`;
  const chat = { id: "c1", user_id: "u1", chat: { history: { messages: { m1: { files: [{ url: "/a" }] } } } } };
  const reserved = { __message_id__: "m1" };
  const files = [{ url: "/a" }, { type: "image", url: "/b" }];
  expect(await host.call(source, "go", {}, { reserved, rights: { "chat.get": chat } })).toMatchObject({
    ok: true,
    value: [files, expect.stringContaining("the message that the plugin works on")],
    events: [{ type: "files", data: { files } }],
  });
});

it("takes the steps around an answer that plugins do themselves", async () => {
  const source = `from open_webui.utils.middleware import (
    process_tool_result, get_citation_source_from_tool_result, chat_completion_files_handler, get_system_oauth_token, process_chat_payload,
)
from fastapi.responses import HTMLResponse

class Tools:
    async def go(self) -> dict:
        page = HTMLResponse("<b>x</b>", headers={"Content-Disposition": "inline"})
        body = {"metadata": {"files": [{"id": "f1"}, {"id": "k1", "type": "collection"}]}, "messages": [{"role": "user", "content": "tides"}]}
        try:
            await process_chat_payload()
        except NotImplementedError as error:
            refused = str(error)
        return {
            "plain": await process_tool_result(None, "t", {"a": 1}, "external"),
            "page": await process_tool_result(None, "t", page),
            "parts": await process_tool_result(None, "t", [{"type": "text", "text": "A"}, {"type": "image", "mimeType": "image/png", "data": "AA=="}], "mcp"),
            "source": get_citation_source_from_tool_result("t", {"q": 1}, "found")[0]["source"]["name"],
            "files": (await chat_completion_files_handler(None, body))[1],
            "token": await get_system_oauth_token(None),
            "refused": refused,
        }
`;
  const found = { documents: [["High"]], distances: [[0.1]], metadatas: [[{ name: "tides.txt", file_id: "f1" }]] };
  const asked = { "file.create": { id: "f9" }, "collection.query": found };
  const result = await host.call(source, "go", {}, { rights: asked });
  expect(result).toMatchObject({
    ok: true,
    value: {
      plain: ['{\n  "a": 1\n}', [], []],
      page: ["t: The page is shown to the person.", [], ["<b>x</b>"]],
      parts: ["A\nThe file image.png is shown to the person.", [{ type: "image", id: "f9" }], []],
      source: "t",
      files: { sources: [{ document: ["High"], source: { name: "tides.txt" } }] },
      token: null,
      refused: "open_webui.utils.middleware.process_chat_payload is not available to plugins",
    },
  });
  expect(result.requests.find(([name]) => name === "collection.query")).toMatchObject([
    "collection.query",
    { collection_names: ["file-f1", "k1"] },
  ]);
});

it("reads pages of the web with the caller's rights", async () => {
  const source = `from open_webui.routers.retrieval import process_web, ProcessUrlForm

class Tools:
    async def go(self) -> list:
        form = ProcessUrlForm(url="https://tides.example/")
        return [await process_web(None, form, process=False), await process_web(None, form)]
`;
  const file = { id: "f1", filename: "tides.html", data: { status: "completed", content: "High at noon" } };
  const asked = { "web.read": { text: "High" }, "web.attach": file, "file.get": file };
  expect(await host.call(source, "go", {}, { rights: asked })).toMatchObject({
    ok: true,
    value: [
      { status: true, content: "High" },
      { collection_name: "file-f1", file: { data: { content: "High at noon" } } },
    ],
  });
});

/** A package of version 2 that knows streamable HTTP under its new name, and imports parts of cryptography that it does not use here. */
const client = `from contextlib import asynccontextmanager
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
try:
    import cryptography.x509
    has_x509 = True
except ImportError:
    has_x509 = False

class Client:
    def __init__(self, headers=None, auth=None):
        self.headers = headers
    async def __aenter__(self):
        return self
    async def __aexit__(self, *error):
        pass

create_mcp_http_client = Client

@asynccontextmanager
async def streamable_http_client(url, *, http_client=None, terminate_on_close=True):
    yield f"read {url}", http_client.headers

class Sealed(AESGCM):
    pass

def seal():
    return AESGCM(b"")
`;

it("knows what packages of the wild were called, and lets them import what they do not use", async () => {
  const bytes = makeWheel("mcp", "2.0", { "mcp/client/__init__.py": "", "mcp/client/streamable_http.py": client });
  const filename = "mcp-2.0-py3-none-any.whl";
  const contents = readWheel(filename, bytes).index;
  const load = async () => bytes;
  const packages = [{ name: "mcp", version: "2.0", filename, sha256: "0".repeat(64), contents, bytes: load }];
  const source = `from mcp.client.streamable_http import streamablehttp_client, has_x509, seal

class Tools:
    async def go(self) -> list:
        async with streamablehttp_client("https://mcp.example/", headers={"a": "b"}) as (read, write, number):
            return [read, write, number(), has_x509]
    def seal(self) -> object:
        return seal()
`;
  expect((await host.describe(source, packages)).problems).toEqual([]);
  expect(await host.call(source, "go", {}, { packages })).toMatchObject({
    ok: true,
    value: ["read https://mcp.example/", { a: "b" }, null, false],
  });
  expect(await host.call(source, "seal", {}, { packages })).toMatchObject({
    ok: false,
    error: { name: "ModuleNotFoundError", package: "cryptography" },
  });
});
