import { afterAll, beforeAll, expect, it } from "vitest";
import { type PythonHost, startPythonHost } from "./python-host.ts";

let host: PythonHost;
beforeAll(async () => {
  host = await startPythonHost();
}, 120_000);
afterAll(() => host.stop());

const people = [
  { id: "u1", name: "Ada", email: "ada@harbour.example", role: "admin" },
  { id: "u2", name: "Bob", email: "bob@harbour.example", role: "user" },
];
const rights = {
  "user.get": ({ id }: { id?: string }) => people.find((each) => each.id === (id ?? "u1")),
  "user.list": people,
  "tool.list": [
    { id: "mine", name: "Mine", write_access: true, specs: [{ name: "go" }], meta: {} },
    { id: "shared", name: "Shared", write_access: false, meta: {} },
  ],
  "function.list": [
    { id: "house", name: "House", type: "filter", is_active: true, is_global: true, meta: {} },
    { id: "off", name: "Off", type: "pipe", is_active: false, is_global: false, meta: {} },
  ],
  "folder.list": [
    { id: "f1", name: "Tides", parent_id: null, user_id: "u1" },
    { id: "f2", name: "Ebb", parent_id: "f1", user_id: "u1" },
  ],
  "chat.list": [
    { id: "c1", title: "One", folder_id: "f1", updated_at: 1, created_at: 1 },
    { id: "c2", title: "Two", folder_id: null, updated_at: 1, created_at: 1 },
  ],
};

it("tables of Open WebUI that plugins read, with what the caller may see", { timeout: 60_000 }, async () => {
  const source = `from open_webui.models.users import Users
from open_webui.models.tools import Tools as ToolTable
from open_webui.models.functions import Functions
from open_webui.models.folders import Folders
from open_webui.models.chats import Chats

class Tools:
    async def go(self) -> dict:
        users = Users.get_users(filter={"query": "bob"})
        return {
            "users": [users["total"], users["users"][0].id],
            "page": [user.id for user in Users.get_users(skip=1, limit=1)["users"]],
            "email": [Users.get_user_by_email("ADA@harbour.example").id, Users.get_user_by_email("bob@harbour.example").id],
            "nobody": Users.get_user_by_email("none@harbour.example"),
            "count": Users.get_num_users(),
            "tools": [tool.id for tool in await ToolTable.get_tools_by_user_id("other", "write")],
            "tool": ToolTable.get_tool_by_id("shared").name,
            "functions": [each.id for each in Functions.get_functions_by_type("filter", active_only=True)],
            "filters": [each.id for each in Functions.get_global_filter_functions()],
            "folders": [each.id for each in Folders.get_folders_by_parent_id_and_user_id("f1", "u1")],
            "folder": Folders.get_folder_by_parent_id_and_user_id_and_name(None, "u1", "tides").id,
            "chats": [each.id for each in Chats.get_chats_by_folder_id_and_user_id("f1", "u1")],
            "listed": [each.id for each in Chats.get_chats_by_user_id("u1").items],
            "chat_count": Chats.count_chats_by_user_id("u1"),
        }
`;
  const result = await host.call(source, "go", {}, { rights });
  expect(result).toMatchObject({ ok: true });
  expect((result as { value: unknown }).value).toEqual({
    users: [1, "u2"],
    page: ["u2"],
    email: ["u1", "u2"],
    nobody: null,
    count: 2,
    tools: ["mine"],
    tool: "Shared",
    functions: ["house"],
    filters: ["house"],
    folders: ["f2"],
    folder: "f1",
    chats: ["c1"],
    listed: ["c1", "c2"],
    chat_count: 2,
  });
  // Where the caller may not see people, that is what the plugin is told.
  const refused = await host.call(source, "go", {}, { rights: { ...rights, "user.list": undefined } });
  expect(refused).toMatchObject({ ok: false, error: { name: "RuntimeError" } });
});

it("answers where a source waits for tables stay what they are: null, true, false, numbers and texts", async () => {
  const source = `from open_webui.models.memories import Memories
from open_webui.models.users import Users

class Tools:
    async def go(self) -> list:
        gone = Memories.delete_memory_by_id("m1")
        nobody = Users.get_user_by_email("none@harbour.example")
        told = [gone, nobody, Users.get_num_users(), gone == True, nobody == None, not gone, {"gone": gone}]
        return [*told, await Memories.delete_memory_by_id("m1"), await Users.get_user_by_email("none@harbour.example")]
`;
  const result = await host.call(source, "go", {}, { rights: { ...rights, "memory.delete": true } });
  expect(result).toMatchObject({ value: [true, null, 2, true, true, false, { gone: true }, true, null] });
});
