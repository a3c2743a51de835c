import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { factoryPermissions } from "../../src/people/permissions.ts";
import { createWorld, type Person, type World } from "../world.ts";

interface Group {
  id: string;
  name: string;
  member_count: number;
  user_ids: string[];
  permissions: Record<string, Record<string, boolean>>;
}

let world: World;
let admin: Person;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
});
afterEach(() => world.close());

const create = async (json: Record<string, unknown> = {}) =>
  (await world.call<Group>("/api/v1/groups/create", { json: { name: "Crew", ...json }, as: admin })).body;
const post = (path: string, json: unknown, as: Person = admin) =>
  world.call<Group & { code: string }>(path, { json, as });

describe("groups", () => {
  test("are made, shown, changed and deleted by administrators", async () => {
    const group = await create({ description: "On board", permissions: { workspace: { models: true } } });
    expect(group).toMatchObject({
      name: "Crew",
      description: "On board",
      user_id: admin.id,
      member_count: 0,
      meta: null,
      data: { config: { share: "members" } },
      permissions: { workspace: { models: true } },
    });
    expect((await world.call(`/api/v1/groups/id/${group.id}`, { as: admin })).body).toMatchObject({
      id: group.id,
      user_ids: [],
    });
    const updated = await post(`/api/v1/groups/id/${group.id}/update`, {
      name: "Deck",
      data: { config: { share: false } },
    });
    expect(updated.body).toMatchObject({
      name: "Deck",
      description: "",
      data: { config: { share: false } },
      permissions: { workspace: { models: true } },
    });
    expect((await world.call(`/api/v1/groups/id/${group.id}/delete`, { method: "DELETE", as: admin })).body).toBe(true);
    expect((await world.request(`/api/v1/groups/id/${group.id}`, { as: admin })).status).toBe(404);
    const { rows } = await world.client.execute("SELECT action FROM audit_events ORDER BY id");
    expect(rows.map((row) => row.action)).toEqual(["group.created", "group.updated", "group.deleted"]);
  });

  test("give their members what they allow, from the next request on, and take it away again", async () => {
    const ada = await world.person();
    const permissions = async () =>
      (await world.call<Record<string, Record<string, boolean>>>("/api/v1/users/permissions", { as: ada })).body;
    const group = await create({ permissions: { workspace: { models: true }, chat: { delete: false } } });
    expect((await permissions()).workspace).toEqual(factoryPermissions.workspace);
    const added = await post(`/api/v1/groups/id/${group.id}/users/add`, { user_ids: [ada.id, ada.id] });
    expect(added.body).toMatchObject({ member_count: 1, user_ids: [ada.id] });
    // What everyone has, no group takes away.
    expect(await permissions()).toMatchObject({ workspace: { models: true }, chat: { delete: true } });
    expect((await world.call("/api/v1/users/groups", { as: ada })).body).toEqual([{ id: group.id, name: "Crew" }]);
    await post(`/api/v1/groups/id/${group.id}/users/remove`, { user_ids: [ada.id, "nobody"] });
    expect((await permissions()).workspace).toEqual(factoryPermissions.workspace);
  });

  test("lose what was shared with them when they go", async () => {
    const group = await create();
    const grant = "INSERT INTO grants VALUES (?, 'model', 'm', 'group', ?, 'read', 0)";
    await world.client.execute({ sql: grant, args: ["mine", group.id] });
    await world.client.execute({ sql: grant, args: ["other", "other"] });
    await world.call(`/api/v1/groups/id/${group.id}/delete`, { method: "DELETE", as: admin });
    expect((await world.client.execute("SELECT id FROM grants")).rows.map((row) => row.id)).toEqual(["other"]);
  });

  test("take two round trips, whatever is done to them", async () => {
    const [ada, group] = [await world.person(), await create()];
    const calls: [path: string, json?: unknown][] = [
      ["/users/add", { user_ids: [ada.id] }],
      ["/users/remove", { user_ids: [ada.id] }],
      ["/update", { name: "Deck" }],
      ["/users"],
    ];
    for (const [path, json] of calls) {
      world.roundTrips.reset();
      await world.call(`/api/v1/groups/id/${group.id}${path}`, { method: "POST", json, as: admin });
      expect([path, world.roundTrips.count]).toEqual([path, 2]);
    }
  });

  test("take all people or nobody", async () => {
    const ada = await world.person();
    const group = await create();
    expect(await post(`/api/v1/groups/id/${group.id}/users/add`, { user_ids: [ada.id, "nobody"] })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", detail: expect.stringContaining("1 of these people") },
    });
    expect((await world.call<Group>(`/api/v1/groups/id/${group.id}`, { as: admin })).body.user_ids).toEqual([]);
  });

  test("keep each member once, however often and at the same moment they are added", async () => {
    const ada = await world.person();
    const group = await create();
    await Promise.all(
      Array.from({ length: 5 }, () => post(`/api/v1/groups/id/${group.id}/users/add`, { user_ids: [ada.id] })),
    );
    expect((await world.call(`/api/v1/groups/id/${group.id}/users`, { method: "POST", as: admin })).body).toMatchObject(
      [{ id: ada.id, name: "Ada", role: "user" }],
    );
  });

  test("are listed to administrators whole, to others only as far as they are in them or may share with them", async () => {
    const ada = await world.person();
    const names = async (as: Person, query = "") =>
      (await world.call<Group[]>(`/api/v1/groups/${query}`, { as })).body.map((group) => group.name);
    const mine = await create({ name: "Mine" });
    await create({ name: "Open", data: { config: { share: true } } });
    await create({ name: "Closed", data: { config: { share: false } } });
    await post(`/api/v1/groups/id/${mine.id}/users/add`, { user_ids: [ada.id] });
    expect(await names(admin)).toEqual(["Closed", "Mine", "Open"]);
    expect(await names(ada)).toEqual(["Mine"]);
    expect(await names(ada, "?share=true")).toEqual(["Mine", "Open"]);
  });

  test("are shown in short to everyone of the organization", async () => {
    const group = await create();
    expect((await world.call(`/api/v1/groups/id/${group.id}/info`, { as: await world.person() })).body).toMatchObject({
      id: group.id,
      name: "Crew",
      member_count: 0,
    });
    await world.client.execute(
      "INSERT INTO organizations (id, name, active, is_default, model_ids, features, created_at, updated_at) VALUES ('other', 'Other', 1, 0, NULL, '{}', 0, 0)",
    );
    expect(
      (
        await world.request(`/api/v1/groups/id/${group.id}/info`, {
          as: await world.person({ organizationId: "other" }),
        })
      ).status,
    ).toBe(404);
  });

  test.each([
    { name: "" },
    { permissions: { workspace: { telepathy: true } } },
    { permissions: { rooms: {} } },
    { permissions: { chat: { delete: "yes" } } },
  ])("refuse %j with 422", async (json) => {
    expect((await post("/api/v1/groups/create", { name: "Crew", ...json })).status).toBe(422);
  });

  test("are for administrators to change, and unknown ones are 404", async () => {
    const ada = await world.person();
    const group = await create();
    const calls: [method: string, path: string, json?: unknown][] = [
      ["POST", "/api/v1/groups/create", { name: "Mine" }],
      ["POST", "/api/v1/groups/id/:id/update", { name: "Mine" }],
      ["POST", "/api/v1/groups/id/:id/users/add", { user_ids: [ada.id] }],
      ["POST", "/api/v1/groups/id/:id/users/remove", { user_ids: [ada.id] }],
      ["POST", "/api/v1/groups/id/:id/users"],
      ["GET", "/api/v1/groups/id/:id"],
      ["GET", "/api/v1/groups/id/:id/export"],
      ["DELETE", "/api/v1/groups/id/:id/delete"],
    ];
    for (const [method, path, json] of calls.slice(1)) {
      const options = { method, ...(json === undefined ? {} : { json }), as: admin };
      expect([path, (await world.request(path.replace(":id", "nothing"), options)).status]).toEqual([path, 404]);
    }
    for (const [method, path, json] of calls) {
      const options = { method, ...(json === undefined ? {} : { json }) };
      expect([path, (await world.request(path.replace(":id", group.id), { ...options, as: ada })).status]).toEqual([
        path,
        403,
      ]);
    }
  });
});
