import { afterAll, beforeAll, expect, it } from "vitest";
import { type PythonHost, startPythonHost } from "./python-host.ts";

let host: PythonHost;
beforeAll(async () => {
  host = await startPythonHost();
}, 240_000);
afterAll(() => host.stop());

const source = `from open_webui.routers.images import image_generations, image_edits, GenerateImageForm, EditImageForm
from open_webui.routers.retrieval import (
    process_file, ProcessFileForm, process_web_search, SearchForm, search_web,
    query_doc_handler, QueryDocForm, query_collection_handler, QueryCollectionsForm,
)
from open_webui.retrieval.utils import query_collection
from open_webui.utils.tools import get_tools
from open_webui.models.files import Files, FileForm

class Tools:
    async def pictures(self, __request__=None) -> list:
        made = await image_generations(request=__request__, form_data=GenerateImageForm(prompt="a boat", n=2), user=None)
        changed = await image_edits(__request__, EditImageForm(prompt="blue", image=[made[0]["id"], "data:x"]))
        return [made[0]["url"], changed[0]["url"]]
    async def search(self) -> list:
        found = await process_web_search(None, SearchForm(queries=["tides"]))
        return [found["docs"][0]["content"], [each.link for each in await search_web(None, "any", "tides")]]
    async def passages(self) -> list:
        one = await query_doc_handler(None, QueryDocForm(collection_name="file-1", query="tides", k=2), user=None)
        more = await query_collection_handler(None, QueryCollectionsForm(collection_names=["a", "b"], query="tides"))
        both = await query_collection(collection_names=["a"], queries=["tides", "ebb"], embedding_function=None, k=1)
        return [one["documents"], more["distances"], both]
    async def missing(self) -> int:
        from fastapi import HTTPException
        try:
            await query_doc_handler(None, QueryDocForm(collection_name="file-other", query="x"))
        except HTTPException as error:
            return error.status_code
    async def read(self) -> dict:
        return await process_file(None, ProcessFileForm(file_id="f1"))
    async def tools(self) -> list:
        found = await get_tools(None, ["t", "unknown"], None, {})
        return [list(found), found["free"]["tool_id"], await found["free"]["callable"](day="Monday")]
    async def write(self) -> dict:
        with open("/tmp/plan.txt", "w") as file:
            file.write("Sail at nine")
        form = FileForm(id="0192d3a0-0000-4000-8000-00000000000b", filename="plan.txt", path="/tmp/plan.txt", meta={"content_type": "text/plain"})
        return Files.insert_new_file("somebody else", form).model_dump()
`;
const found = {
  documents: [["High at noon", "Low at six"]],
  distances: [[0.2, 0.1]],
  metadatas: [[{ n: 1 }, { n: 2 }]],
};
const picture = { id: "p1", url: "/api/v1/files/p1/content" };
let looks = 0;
const rights = {
  "image.create": [picture],
  "image.edit": [{ ...picture, url: "/api/v1/files/p2/content" }],
  "web.search": {
    items: [{ link: "https://tides.example/", title: "T", snippet: "S" }],
    docs: [{ content: "High at noon", metadata: {} }],
  },
  "collection.query": ({ collection_names: [name] }: { collection_names: string[] }) => {
    if (name === "file-other") throw new Error("No such collection: file-other");
    return found;
  },
  "file.get": () =>
    ++looks < 3
      ? { id: "f1", filename: "a.txt", data: { status: "pending" } }
      : { id: "f1", filename: "a.txt", data: { status: "completed", content: "Words" } },
  "tool.list": [
    {
      id: "t",
      name: "T",
      specs: [{ name: "free", description: "Free", parameters: { type: "object", properties: { day: {} } } }],
    },
  ],
  "tool.call": "three berths",
  "file.create": (given: object) => ({ ...given, user_id: "u1", filename: "plan.txt", meta: {} }),
};
const call = (method: string, more: object = rights) =>
  host.call(source, method, {}, { rights: more as typeof rights });

it(
  "pictures, searches, passages, files and tools are requests with the caller's rights",
  { timeout: 60_000 },
  async () => {
    const pictures = await call("pictures");
    expect(pictures).toMatchObject({ ok: true, value: ["/api/v1/files/p1/content", "/api/v1/files/p2/content"] });
    expect(pictures.requests).toEqual([
      ["image.create", { prompt: "a boat", n: 2 }],
      ["image.edit", { prompt: "blue", image: ["/api/v1/files/p1/content", "data:x"] }],
    ]);
    expect(await call("search")).toMatchObject({ value: ["High at noon", ["https://tides.example/"]] });
    const passages = await call("passages");
    expect(passages).toMatchObject({
      value: [
        found.documents,
        found.distances,
        { distances: [[0.1]], documents: [["Low at six"]], metadatas: [[{ n: 2 }]] },
      ],
    });
    expect(passages.requests[0]).toEqual(["collection.query", { collection_names: ["file-1"], query: "tides", k: 2 }]);
    expect(await call("missing")).toMatchObject({ value: 404 });
    expect(await call("read")).toMatchObject({
      value: { collection_name: "file-f1", content: "Words", filename: "a.txt" },
    });
    expect(await call("tools")).toMatchObject({ ok: true, value: [["free"], "t", "three berths"] });
    expect(await call("pictures", {})).toMatchObject({ ok: false, error: { name: "RuntimeError" } });
  },
);

it(
  "a file that a plugin wrote becomes a file of the caller, or the plugin is told why not",
  { timeout: 60_000 },
  async () => {
    const written = await call("write");
    expect(written).toMatchObject({ ok: true, value: { user_id: "u1", filename: "plan.txt" } });
    expect(written.requests).toEqual([
      [
        "file.create",
        {
          id: "0192d3a0-0000-4000-8000-00000000000b",
          name: "plan.txt",
          content_type: "text/plain",
          base64: btoa("Sail at nine"),
        },
      ],
    ]);
    const full = { "file.create": () => Promise.reject(new Error("Your storage is full")) };
    expect(await call("write", full)).toMatchObject({ ok: false, error: { message: "Your storage is full" } });
  },
);
