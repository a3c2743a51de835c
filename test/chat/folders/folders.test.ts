import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { maxFolderDepth } from "../../../src/chat/folders/schema.ts";
import { folders } from "../../../src/chat/folders/tables.ts";
import { newId } from "../../../src/lib/id.ts";
import { defaultOrganizationId, type Person } from "../../world.ts";
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

describe("a folder", () => {
  test("is made, read, renamed, opened and deleted", async () => {
    const made = await world.folder(ada, " Harbour ", {
      data: { system_prompt: "Speak like a sailor.", model_ids: ["tiny"], share_mode: "view" },
      meta: { icon: "ship" },
    });
    expect(made).toEqual({
      id: expect.any(String),
      user_id: ada.id,
      name: "Harbour",
      parent_id: null,
      meta: { icon: "ship" },
      data: { system_prompt: "Speak like a sailor.", files: [], model_ids: ["tiny"], share_mode: "view" },
      model_ids: ["tiny"],
      is_expanded: false,
      access_grants: [],
      write_access: true,
      chat_count: 0,
      folder_count: 0,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
    expect((await world.folderOf(ada, made.id)).body).toEqual(made);
    expect((await world.call(path, { as: ada })).body).toEqual([
      {
        id: made.id,
        name: "Harbour",
        meta: { icon: "ship" },
        parent_id: null,
        is_expanded: false,
        created_at: made.created_at,
        updated_at: made.updated_at,
      },
    ]);

    const renamed = await world.post(ada, `${made.id}/update`, {
      name: "Quay",
      data: { system_prompt: null, share_mode: null },
      meta: { colour: "blue" },
    });
    expect(renamed.body).toMatchObject({
      name: "Quay",
      meta: { icon: "ship", colour: "blue" },
      data: { system_prompt: "", files: [], model_ids: ["tiny"] },
    });
    expect(renamed.body.data).not.toHaveProperty("share_mode");
    expect((await world.post(ada, `${made.id}/update/expanded`, { is_expanded: true })).body.is_expanded).toBe(true);
    expect((await world.call(`${path}/${made.id}`, { as: ada, method: "DELETE" })).body).toBe(true);
    expect(await world.names(ada)).toEqual([]);
    expect((await world.folderOf(ada, made.id)).status).toBe(404);
  });

  test("has files and knowledge bases that its writer can read", async () => {
    const [file, hidden] = [await world.file(ada, { name: "rules.pdf" }), await world.file(grace)];
    const base = await world.base(ada, { name: "Ships" });
    const { id } = await world.folder(ada, "Harbour");
    const set = (files: unknown) => world.post(ada, `${id}/update`, { data: { files } });
    const said = [
      { type: "collection", id: base.id, name: "Anything" },
      { type: "file", id: file, url: file },
      { type: "file", id: file },
    ];
    expect((await set(said)).body.data.files).toEqual([
      { type: "collection", id: base.id, name: "Ships" },
      { type: "file", id: file, name: "rules.pdf" },
    ]);
    const refused = await set([{ type: "file", id: hidden }]);
    expect([refused.status, refused.body.detail]).toEqual([422, `No such file, or no access to it: ${hidden}`]);
    expect((await set([{ type: "note", id: hidden }])).status).toBe(422);
    await world.call(`/api/v1/files/${file}`, { as: ada, method: "DELETE" });
    expect((await world.folderOf(ada, id)).body.data.files).toEqual([
      { type: "collection", id: base.id, name: "Ships" },
    ]);
    expect((await set(null)).body.data.files).toEqual([]);
  });

  test.each([
    ["an empty name", { name: "  " }, 422],
    ["a name that is too long", { name: "x".repeat(201) }, 422],
    ["a line break", { name: "a\nb" }, 422],
    ["no name", {}, 422],
    ["an unknown parent", { name: "x", parent_id: newId() }, 404],
    ["files that are no list", { name: "x", data: { files: "all" } }, 422],
    ["too much data", { name: "x", meta: { icon: "x".repeat(30_000) } }, 422],
  ])("is refused with %s", async (_what, json, status) => {
    expect((await world.call(`${path}/`, { as: ada, json })).status).toBe(status);
    expect(await world.names(ada)).toEqual([]);
  });

  test("is refused with broken JSON", async () => {
    const headers = { "content-type": "application/json" };
    const answer = await world.call(`${path}/`, { as: ada, method: "POST", headers, body: '{"name":' });
    expect(answer.status).toBe(400);
  });

  test("has a name that no other one beside it has", async () => {
    const harbour = await world.folder(ada, "Harbour");
    const quay = await world.folder(ada, "Quay");
    const again = await world.call(`${path}/`, { as: ada, json: { name: "HARBOUR" } });
    expect([again.status, again.body["detail"]]).toEqual([400, "There is already a folder with this name here"]);
    const renamed = await world.post(ada, `${quay.id}/update`, { name: "harbour", data: { system_prompt: "No" } });
    expect(renamed.status).toBe(400);
    expect((await world.folderOf(ada, quay.id)).body.data.system_prompt).toBe("");
    await world.folder(ada, "Harbour", { parent_id: quay.id });
    expect((await world.post(ada, `${harbour.id}/update/parent`, { parent_id: quay.id })).status).toBe(400);
    expect((await world.post(ada, `${harbour.id}/update`, { name: "HARBOUR" })).body.name).toBe("HARBOUR");
    await world.folder(grace, "Harbour");
  });

  test("is nobody else's, whatever they administer", async () => {
    const { id } = await world.folder(ada, "Harbour");
    const admin = await world.admin();
    const manager = await world.person();
    await world.setOrganization(manager, defaultOrganizationId, "admin");
    for (const other of [grace, admin, manager]) {
      expect(await world.names(other)).toEqual([]);
      const tries = [
        await world.folderOf(other, id),
        await world.post(other, `${id}/update`, { name: "Mine" }),
        await world.post(other, `${id}/update/parent`, { parent_id: null }),
        await world.post(other, `${id}/update/expanded`, { is_expanded: true }),
        await world.post(other, `${id}/access/update`, { access_grants: [] }),
        await world.call(`${path}/${id}`, { as: other, method: "DELETE" }),
        await world.call(`${path}/`, { as: other, json: { name: "In it", parent_id: id } }),
        await world.call(`/api/v1/chats/folder/${id}`, { as: other }),
        await world.call(`/api/v1/chats/folder/${id}/list`, { as: other }),
        await world.call("/api/v1/chats/new", { as: other, json: { chat: {}, folder_id: id } }),
      ];
      expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 404));
    }
    expect((await world.folderOf(ada, id)).body).toMatchObject({ name: "Harbour", is_expanded: false });
  });

  test("cannot be used without the permission, and then hides no chats", async () => {
    const { id } = await world.folder(ada, "Harbour");
    await world.chat(ada, id);
    expect(await world.titles(ada)).toEqual([]);
    await world.client.execute(
      "UPDATE settings SET value = json_set(value, '$.features', json('{\"folders\":false}')) WHERE name = 'permissions.default'",
    );
    const refused = await world.folderOf(ada, id);
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("features.folders")]);
    expect(await world.titles(ada)).toEqual(["Tides"]);
    await world.client.execute(
      "UPDATE settings SET value = json_remove(value, '$.features') WHERE name = 'permissions.default'",
    );
  });
});

describe("moving a folder", () => {
  const into = (id: string, parentId: string | null) => world.post(ada, `${id}/update/parent`, { parent_id: parentId });

  test("goes into another one and back to the top", async () => {
    const [harbour, quay] = [await world.folder(ada, "Harbour"), await world.folder(ada, "Quay")];
    expect((await into(quay.id, harbour.id)).body.parent_id).toBe(harbour.id);
    expect((await world.folderOf(ada, harbour.id)).body.folder_count).toBe(1);
    expect((await into(quay.id, null)).body.parent_id).toBeNull();
  });

  test("never makes a loop", async () => {
    const outer = await world.folder(ada, "Outer");
    const inner = await world.folder(ada, "Inner", { parent_id: outer.id });
    for (const target of [outer.id, inner.id]) {
      const { status, body } = await into(outer.id, target);
      expect([status, body.detail]).toEqual([400, "A folder cannot be moved into itself or a folder in it"]);
    }
    const [a, b] = [await world.folder(ada, "A"), await world.folder(ada, "B")];
    const moves = await Promise.all([into(a.id, b.id), into(b.id, a.id)]);
    expect(moves.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test("never goes deeper than allowed", async () => {
    const deep: string[] = [];
    for (let depth = 1; depth <= maxFolderDepth; depth += 1)
      deep.push((await world.folder(ada, `Level ${depth}`, { parent_id: deep.at(-1) ?? null })).id);
    const tooDeep = await world.call(`${path}/`, { as: ada, json: { name: "Deeper", parent_id: deep.at(-1) } });
    expect([tooDeep.status, tooDeep.body["detail"]]).toEqual([400, "Folders can be at most 20 deep"]);
    const pair = await world.folder(ada, "Pair");
    await world.folder(ada, "Below", { parent_id: pair.id });
    expect((await into(pair.id, deep.at(-2)!)).status).toBe(400);
    expect((await into(pair.id, deep.at(-3)!)).status).toBe(200);
    expect((await world.call(`${path}/${deep[0]}`, { as: ada, method: "DELETE" })).status).toBe(200);
    expect(await world.names(ada)).toEqual([]);
  });

  test("stays with its owner", async () => {
    const mine = await world.folder(ada, "Mine");
    const theirs = await world.folder(grace, "Theirs");
    expect((await into(mine.id, theirs.id)).status).toBe(404);
    expect((await into(theirs.id, mine.id)).status).toBe(404);
  });
});

test("a person can have many folders, and not more", async () => {
  const values = Array.from({ length: 2000 }, (_, at) => ({
    id: newId(),
    userId: ada.id,
    organizationId: defaultOrganizationId,
    name: `Folder ${at}`,
    modelIds: [],
    meta: {},
    createdAt: 0,
    updatedAt: 0,
  }));
  for (let at = 0; at < values.length; at += 500) await world.db.insert(folders).values(values.slice(at, at + 500));
  const { status, body } = await world.call(`${path}/`, { as: ada, json: { name: "One more" } });
  expect([status, body["detail"]]).toEqual([409, "There can be at most 2000 folders"]);
});
