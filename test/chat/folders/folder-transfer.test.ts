import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import type { ImportReport } from "../../../src/chat/transfer/schema.ts";
import { newId } from "../../../src/lib/id.ts";
import type { Person } from "../../world.ts";
import { createFolderWorld, type FolderWorld, path } from "./folder-world.ts";

let world: FolderWorld;
let ada: Person;
let grace: Person;

beforeAll(async () => {
  world = await createFolderWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  [ada, grace] = await Promise.all([world.person(), world.person()]);
});

const message = {
  history: { currentId: "q", messages: { q: { id: "q", parentId: null, role: "user", content: "Hi" } } },
};

async function exported(as: Person): Promise<ChatResponse[]> {
  const inner = await world.folder(as, "Inner", { parent_id: (await world.folder(as, "Outer")).id });
  await world.chat(as, inner.id, { title: "Inside", ...message });
  await world.chat(as, null, { title: "Outside", ...message });
  return (await world.call<ChatResponse[]>("/api/v1/chats/all", { as })).body;
}

const importFile = async (as: Person, chats: unknown) =>
  (await world.call<ImportReport>("/api/v1/chats/import/file", { as, json: chats })).body;

test("an export says the folders, and an import by somebody else makes them once", async () => {
  const chats = await exported(ada);
  expect(chats.map(({ title, folder_path: names }) => [title, names])).toEqual(
    expect.arrayContaining([
      ["Inside", ["Outer", "Inner"]],
      ["Outside", undefined],
    ]),
  );
  for (const _ of [1, 2]) expect((await importFile(grace, chats)).changes.folders_left_out).toBe(0);
  expect(await world.names(grace)).toEqual(["Inner", "Outer"]);
  const outer = (await world.call<{ id: string; name: string }[]>(path, { as: grace })).body.find(
    ({ name }) => name === "Outer",
  );
  expect(await world.titles(grace, `/api/v1/chats/folder/${outer!.id}`)).toEqual(["Inside", "Inside"]);
  await world.call("/api/v1/chats/import", { as: grace, json: chats });
  expect(await world.titles(grace, `/api/v1/chats/folder/${outer!.id}`)).toHaveLength(3);
});

test("an import by the same person takes the same folders, whatever they are called now", async () => {
  const chats = await exported(ada);
  const { folder_id: id } = chats.find(({ title }) => title === "Inside")!;
  await world.post(ada, `${id}/update`, { name: "Renamed" });
  await importFile(ada, chats);
  expect(await world.names(ada)).toEqual(["Outer", "Renamed"]);
  expect(await world.titles(ada, `/api/v1/chats/folder/${id}/list`)).toEqual(["Inside", "Inside"]);
});

test("one chat as a file says its folders too", async () => {
  const chat = (await exported(ada)).find(({ title }) => title === "Inside");
  const { body } = await world.call<ChatResponse[]>(`/api/v1/chats/${chat!.id}/export?format=json`, { as: ada });
  expect(body).toMatchObject([{ folder_path: ["Outer", "Inner"] }]);
});

test("what cannot be a folder is left out, and its chat comes", async () => {
  const chats = [
    { chat: { title: "A", ...message }, folder_id: newId() },
    { chat: { title: "B", ...message }, folder_id: newId(), folder_path: Array.from({ length: 30 }, () => "Deep") },
    { chat: { title: "C", ...message }, folder_id: newId(), folder_path: ["", "x"] },
    { chat: { title: "D", ...message }, folder_id: 7, folder_path: "x" },
  ];
  expect(await importFile(ada, chats)).toMatchObject({ imported: 4, changes: { folders_left_out: 3 } });
  expect((await world.titles(ada)).toSorted()).toEqual(["A", "B", "C", "D"]);
  expect(await world.names(ada)).toEqual([]);
});
