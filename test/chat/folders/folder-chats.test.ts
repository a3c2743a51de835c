import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { newId } from "../../../src/lib/id.ts";
import type { Person } from "../../world.ts";
import { createFolderWorld, type FolderWorld, path, type Refusal, shareWith } from "./folder-world.ts";

let world: FolderWorld;
let ada: Person;
let grace: Person;

const chats = "/api/v1/chats";
const put = (as: Person, id: string, folderId: string | null) =>
  world.call<ChatResponse & Refusal>(`${chats}/${id}/folder`, { as, json: { folder_id: folderId } });
const remove = (as: Person, id: string, query = "") =>
  world.call<Refusal>(`${path}/${id}${query}`, { as, method: "DELETE" });

beforeAll(async () => {
  world = await createFolderWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  [ada, grace] = await Promise.all([world.person(), world.person()]);
});

describe("a chat in a folder", () => {
  test("is made there, moved, and taken out", async () => {
    const outer = await world.folder(ada, "Outer");
    const inner = await world.folder(ada, "Inner", { parent_id: outer.id });
    const { id, folder_id: folderId } = await world.chat(ada, inner.id);
    expect(folderId).toBe(inner.id);
    expect(await world.titles(ada)).toEqual([]);
    expect(await world.titles(ada, `${chats}/?include_folders=true`)).toEqual(["Tides"]);
    expect(await world.titles(ada, `${chats}/folder/${inner.id}/list?page=1`)).toEqual(["Tides"]);
    expect(await world.titles(ada, `${chats}/folder/${inner.id}/list?page=2`)).toEqual([]);
    expect(await world.titles(ada, `${chats}/folder/${outer.id}/list`)).toEqual([]);
    expect(await world.titles(ada, `${chats}/folder/${outer.id}`)).toEqual(["Tides"]);
    expect((await world.folderOf(ada, outer.id)).body).toMatchObject({ chat_count: 1, folder_count: 1 });

    expect((await put(ada, id, outer.id)).body.folder_id).toBe(outer.id);
    expect((await put(ada, id, null)).body.folder_id).toBeNull();
    expect(await world.titles(ada)).toEqual(["Tides"]);
    const saved = await world.call<ChatResponse>(`${chats}/${id}`, {
      as: ada,
      json: { chat: {}, folder_id: outer.id },
    });
    expect(saved.body.folder_id).toBe(outer.id);
    expect((await world.call<ChatResponse>(`${chats}/${id}`, { as: ada, json: { chat: {} } })).body.folder_id).toBe(
      outer.id,
    );
    expect((await world.call<ChatResponse>(`${chats}/${id}/clone`, { as: ada, method: "POST" })).body.folder_id).toBe(
      outer.id,
    );
  });

  test("takes the models of the nearest folder that names some", async () => {
    const outer = await world.folder(ada, "Outer", { data: { model_ids: ["tiny"] } });
    const inner = await world.folder(ada, "Inner", { parent_id: outer.id });
    expect(inner.model_ids).toEqual(["tiny"]);
    expect((await world.chat(ada, inner.id)).chat.models).toEqual(["tiny"]);
    expect((await world.chat(ada, inner.id, { models: ["large"] })).chat.models).toEqual(["large"]);
  });

  test("is never put where its owner cannot read", async () => {
    const theirs = await world.folder(grace, "Theirs");
    const { id } = await world.chat(ada);
    for (const folderId of [theirs.id, newId()]) {
      const tries = [
        await put(ada, id, folderId),
        await world.call<Refusal>(`${chats}/${id}`, { as: ada, json: { chat: {}, folder_id: folderId } }),
        await world.call<Refusal>(`${chats}/new`, { as: ada, json: { chat: {}, folder_id: folderId } }),
      ];
      expect(tries.map(({ status, body }) => [status, body.detail])).toEqual(tries.map(() => [404, "No such folder"]));
    }
    expect((await put(grace, id, theirs.id)).status).toBe(404);
    expect(await world.titles(ada)).toEqual(["Tides"]);
    const { body } = await world.call<ChatResponse[]>(`${chats}/import`, {
      as: ada,
      json: [{ chat: { title: "From elsewhere" }, folder_id: theirs.id }],
    });
    expect(body[0]!.folder_id).toBeNull();
  });

  test("is found within its folder", async () => {
    const outer = await world.folder(ada, "Outer");
    const inner = await world.folder(ada, "Inner", { parent_id: outer.id });
    const other = await world.folder(ada, "Other");
    await world.chat(ada, inner.id, { title: "Herring inside" });
    await world.chat(ada, null, { title: "Herring outside" });
    const find = (query: string) => world.titles(ada, `${chats}/search?text=herring${query}`);
    expect((await find("")).toSorted()).toEqual(["Herring inside", "Herring outside"]);
    expect(await find(`&folder_id=${outer.id}`)).toEqual(["Herring inside"]);
    expect(await find(`&folder_id=${other.id}`)).toEqual([]);
  });

  test("costs the list of chats no further round trip", async () => {
    const { id } = await world.folder(ada, "Outer");
    await world.chat(ada, id);
    const cost = async (address: string) => {
      await world.settled();
      world.roundTrips.reset();
      expect((await world.request(address, { as: ada })).status).toBe(200);
      return world.roundTrips.count;
    };
    expect(await cost(`${chats}/`)).toBe(2);
    expect(await cost(`${chats}/folder/${id}/list`)).toBe(2);
    expect(await cost(`${path}/`)).toBe(2);
    expect(await cost(`${path}/${id}`)).toBe(2);
  });
});

describe("deleting a folder", () => {
  async function tree(owner: Person) {
    const outer = await world.folder(owner, "Outer");
    const inner = await world.folder(owner, "Inner", { parent_id: outer.id });
    await world.chat(owner, outer.id, { title: "First" });
    await world.chat(owner, inner.id, { title: "Second" });
    await world.chat(owner, null, { title: "Outside" });
    return { outer, inner };
  }

  test("keeps its chats if they are to stay", async () => {
    const { outer } = await tree(ada);
    expect((await remove(ada, outer.id, "?delete_contents=false")).status).toBe(200);
    expect((await world.titles(ada)).toSorted()).toEqual(["First", "Outside", "Second"]);
    expect(await world.names(ada)).toEqual([]);
  });

  test("deletes its chats otherwise, and none of other people", async () => {
    const { outer, inner } = await tree(ada);
    await world.post(ada, `${outer.id}/access/update`, shareWith(grace));
    await world.chat(grace, inner.id, { title: "Grace's" });
    expect((await remove(grace, outer.id)).status).toBe(403);
    expect((await remove(ada, outer.id)).status).toBe(200);
    expect(await world.titles(ada)).toEqual(["Outside"]);
    expect(await world.titles(grace)).toEqual(["Grace's"]);
  });

  test("is refused where a legal hold keeps it, with its chats and without", async () => {
    const { outer } = await tree(ada);
    const admin = await world.admin();
    const hold = await world.call<{ id: string }>("/api/v1/legal-holds", {
      as: admin,
      json: { kind: "person", target_id: ada.id, reason: "A case" },
    });
    for (const query of ["", "?delete_contents=false"]) expect((await remove(ada, outer.id, query)).status).toBe(409);
    expect((await world.folderOf(ada, outer.id)).body.chat_count).toBe(2);
    await world.call(`/api/v1/legal-holds/${hold.body.id}`, { as: admin, method: "DELETE" });
    expect((await remove(ada, outer.id)).status).toBe(200);
  });

  test("needs the permission to delete chats only if there are some", async () => {
    const { outer } = await tree(ada);
    const empty = await world.folder(ada, "Empty");
    const set = (change: string) =>
      world.client.execute(`UPDATE settings SET value = ${change} WHERE name = 'permissions.default'`);
    await set("json_set(value, '$.chat', json('{\"delete\":false}'))");
    const refused = await remove(ada, outer.id);
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("chat.delete")]);
    expect((await remove(ada, empty.id)).status).toBe(200);
    expect((await remove(ada, outer.id, "?delete_contents=false")).status).toBe(200);
    await set("json_remove(value, '$.chat')");
  });
});
