import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SharedFolder } from "../../../src/chat/folders/schema.ts";
import { defaultOrganizationId, type Person } from "../../world.ts";
import { createFolderWorld, type FolderWorld, path, shareWith } from "./folder-world.ts";

let world: FolderWorld;
let ada: Person;
let grace: Person;

const share = (id: string, json: unknown, as = ada) => world.post(as, `${id}/access/update`, json);
const shared = async (as: Person) =>
  (await world.call<SharedFolder[]>(`${path}/shared`, { as })).body.map(
    ({ name, permission }) => `${name}: ${permission}`,
  );

beforeAll(async () => {
  world = await createFolderWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  [ada, grace] = await Promise.all([world.person(), world.person()]);
});

async function tree() {
  const outer = await world.folder(ada, "Outer", { data: { system_prompt: "Outer rules" } });
  const inner = await world.folder(ada, "Inner", { parent_id: outer.id });
  return { outer, inner };
}

describe("a shared folder", () => {
  test("is read with all folders in it, and each person's chats in it are their own", async () => {
    const { outer, inner } = await tree();
    await world.folder(ada, "Private");
    await world.chat(ada, inner.id, { title: "Ada's" });
    expect((await share(outer.id, shareWith(grace))).body.access_grants).toHaveLength(1);
    expect(await shared(grace)).toEqual(["Inner: read", "Outer: read"]);
    expect(await shared(ada)).toEqual(["Inner: write", "Outer: write"]);
    expect(await world.titles(grace, `${path}/`)).toEqual([]);
    const all = await world.call<SharedFolder[]>(`${path}/?include_shared=true`, { as: ada });
    expect(all.body.map(({ name }) => name)).toEqual(["Inner", "Outer", "Private"]);
    expect((await world.folderOf(grace, inner.id)).body).toMatchObject({ write_access: false, chat_count: 0 });
    expect((await world.folderOf(grace, outer.id)).body).toMatchObject({
      access_grants: [],
      data: { system_prompt: "Outer rules" },
    });
    await world.chat(grace, inner.id, { title: "Grace's" });
    expect(await world.titles(grace, `/api/v1/chats/folder/${inner.id}/list`)).toEqual(["Grace's"]);
    expect(await world.titles(ada, `/api/v1/chats/folder/${inner.id}/list`)).toEqual(["Ada's"]);
    expect((await world.post(grace, `${inner.id}/update`, { name: "Mine" })).status).toBe(403);
    expect((await world.call(`${path}/`, { as: grace, json: { name: "New", parent_id: inner.id } })).status).toBe(403);
    expect((await world.post(grace, `${inner.id}/update/expanded`, { is_expanded: true })).body.is_expanded).toBe(
      false,
    );
  });

  test("is changed with the right to write, but moved, shared and deleted by its owner alone", async () => {
    const { outer, inner } = await tree();
    await share(outer.id, shareWith(grace, "write"));
    expect((await world.post(grace, `${inner.id}/update`, { name: "Deck" })).body.name).toBe("Deck");
    const made = await world.folder(grace, "Cabin", { parent_id: inner.id });
    expect(made.user_id).toBe(ada.id);
    expect(await world.names(ada)).toEqual(["Cabin", "Deck", "Outer"]);
    expect((await world.post(grace, `${inner.id}/update/parent`, { parent_id: null })).status).toBe(403);
    expect((await share(inner.id, { access_grants: [] }, grace)).status).toBe(403);
    expect((await world.call(`${path}/${inner.id}`, { as: grace, method: "DELETE" })).status).toBe(403);
  });

  test("keeps the files of its owner that a writer cannot see", async () => {
    const { outer } = await tree();
    const [secret, plan] = [
      await world.file(ada, { name: "secret.txt" }),
      await world.file(grace, { name: "plan.txt" }),
    ];
    await world.post(ada, `${outer.id}/update`, { data: { files: [{ type: "file", id: secret }] } });
    await share(outer.id, shareWith(grace, "write"));
    expect((await world.folderOf(grace, outer.id)).body.data.files).toEqual([]);
    const files = [{ type: "file", id: plan }];
    expect((await world.post(grace, `${outer.id}/update`, { data: { files } })).body.data.files).toMatchObject(files);
    expect((await world.folderOf(ada, outer.id)).body.data.files).toMatchObject([{ id: secret }]);
  });

  test("that is withdrawn hides no chats", async () => {
    const { outer, inner } = await tree();
    await share(outer.id, shareWith(grace));
    const { id } = await world.chat(grace, inner.id, { title: "Grace's" });
    expect(await world.titles(grace)).toEqual([]);
    await share(outer.id, { access_grants: [] });
    expect(await world.titles(grace)).toEqual(["Grace's"]);
    expect((await world.call(`/api/v1/chats/${id}/clone`, { as: grace, method: "POST" })).body["folder_id"]).toBeNull();
  });

  test("reaches groups, and nobody in another organization", async () => {
    const { outer } = await tree();
    const group = await world.group(defaultOrganizationId, [grace]);
    const elsewhere = await world.person();
    await world.setOrganization(elsewhere, await world.organization());
    const grants = [{ principal_type: "group", principal_id: group, permission: "write" }];
    expect((await share(outer.id, { access_grants: grants })).status).toBe(200);
    expect(await shared(grace)).toEqual(["Inner: write", "Outer: write"]);
    expect((await share(outer.id, shareWith(elsewhere))).status).toBe(422);
    expect(await shared(elsewhere)).toEqual([]);
  });

  test("needs the permission to share", async () => {
    const { outer } = await tree();
    const everyone = { access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] };
    const { status, body } = await share(outer.id, everyone);
    expect([status, body.detail]).toEqual([403, expect.stringContaining("sharing.public_folders")]);
  });

  test("stays its owner's when they move to another organization", async () => {
    const { outer } = await tree();
    await world.chat(ada, outer.id, { title: "Ada's" });
    await world.setOrganization(ada, await world.organization("North"));
    expect(await world.names(ada)).toEqual(["Inner", "Outer"]);
    expect(await world.titles(ada, `/api/v1/chats/folder/${outer.id}/list`)).toEqual(["Ada's"]);
  });
});
