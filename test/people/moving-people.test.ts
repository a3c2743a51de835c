import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";

interface Moved {
  organization: { id: string; member_count: number };
  moved: number;
  code: string;
  detail: string;
}

let world: World;
let admin: Person;
let quay: string;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
  quay = await create("Quay");
});
afterEach(() => world.close());

const create = async (name: string) =>
  (await world.call<{ id: string }>("/api/v1/organizations", { json: { name }, as: admin })).body.id;
const move = (to: string, people: (Person | string)[], as: Person = admin) =>
  world.call<Moved>(`/api/v1/organizations/${to}/members`, {
    json: { user_ids: people.map((person) => (typeof person === "string" ? person : person.id)) },
    as,
  });
const homes = async (...people: Person[]) =>
  Promise.all(
    people.map(
      async ({ id }) =>
        (await world.call<{ organization_id: string }>(`/api/v1/users/${id}`, { as: admin })).body.organization_id,
    ),
  );
const audited = async () =>
  (await world.client.execute("SELECT * FROM audit_events WHERE action = 'user.moved' ORDER BY target_id")).rows.map(
    (row) => ({
      target: row.target_id,
      organization: row.organization_id,
      detail: JSON.parse(row.detail as string) as unknown,
    }),
  );

describe("moving people", () => {
  test("makes the organization their home, notes each of them, and does nothing the second time", async () => {
    const [ada, bob] = [await world.person(), await world.person()];
    const detail = { from: defaultOrganizationId, to: quay };
    for (const moved of [2, 0]) {
      expect(await move(quay, [ada, bob, ada])).toMatchObject({
        status: 200,
        body: { organization: { id: quay, member_count: 2 }, moved },
      });
      expect(await homes(ada, bob)).toEqual([quay, quay]);
      expect(await audited()).toEqual([
        { target: ada.id, organization: quay, detail },
        { target: bob.id, organization: quay, detail },
      ]);
    }
    await world.settled();
    expect(new Set(world.live.rechecked)).toEqual(new Set([ada.id, bob.id]));
  });

  test("takes all or nobody", async () => {
    const ada = await world.person();
    expect(await move(quay, [ada, "nobody", "nobody else"])).toMatchObject({
      status: 422,
      body: { code: "validation_failed", detail: expect.stringContaining("2 of these people are unknown") },
    });
    expect(await homes(ada)).toEqual([defaultOrganizationId]);
    expect(await audited()).toEqual([]);
  });

  test("goes to organizations that are there and on", async () => {
    const ada = await world.person();
    expect((await move("nothing", [ada])).status).toBe(404);
    await world.call(`/api/v1/organizations/${quay}`, { method: "PATCH", json: { active: false }, as: admin });
    expect(await move(quay, [ada])).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await homes(ada)).toEqual([defaultOrganizationId]);
  });

  test("leaves the first administrator to themselves, and whoever is named with them", async () => {
    const [second, ada] = [await world.person({ role: "admin" }), await world.person()];
    expect(await move(quay, [ada, admin], second)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await homes(ada, admin)).toEqual([defaultOrganizationId, defaultOrganizationId]);
    expect((await move(quay, [admin], admin)).status).toBe(200);
    // Being there already is no move.
    expect(await move(quay, [admin, second], second)).toMatchObject({ status: 200, body: { moved: 1 } });
    expect((await world.request("/api/v1/users/", { as: admin })).status).toBe(200);
  });

  test("is for system administrators", async () => {
    const ada = await world.person({ organizationId: quay });
    await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [ada.id] });
    expect((await move(quay, [await world.person()], ada)).status).toBe(403);
    expect((await move(quay, [ada], await world.person())).status).toBe(403);
  });

  test("makes plain members of them, and leaves those who are there what they are", async () => {
    const [chief, comer] = [await world.person({ organizationId: quay }), await world.person()];
    await world.client.execute("UPDATE users SET organization_role = 'admin'");
    await move(quay, [chief, comer]);
    const { rows } = await world.client.execute({
      sql: "SELECT id, organization_role FROM users WHERE organization_id = ?",
      args: [quay],
    });
    expect(new Map(rows.map((row) => [row.id, row.organization_role]))).toEqual(
      new Map([
        [chief.id, "admin"],
        [comer.id, "member"],
      ]),
    );
  });

  test("ends memberships in groups of the organization that is left, not in those that hold for everyone", async () => {
    const pier = await create("Pier");
    const ada = await world.person({ organizationId: quay });
    const group = async (organization_id: string, name: string) => {
      const { body } = await world.call<{ id: string }>("/api/v1/groups/create", {
        json: { name, organization_id, permissions: { workspace: { models: true } } },
        as: admin,
      });
      await world.call(`/api/v1/groups/id/${body.id}/users/add`, { json: { user_ids: [ada.id] }, as: admin });
      return body.id;
    };
    const general = await group(defaultOrganizationId, "General");
    await group(quay, "Quay's");
    await move(pier, [ada]);
    expect((await world.call("/api/v1/users/groups", { as: ada })).body).toEqual([{ id: general, name: "General" }]);
    expect((await world.call("/api/v1/users/permissions", { as: ada })).body).toMatchObject({
      workspace: { models: true },
    });
    await move(quay, [ada]);
    expect((await world.call("/api/v1/users/groups", { as: ada })).body).toHaveLength(1);
  });

  test("to two places at the same moment ends in one of them, whole", async () => {
    const pier = await create("Pier");
    const people = await Promise.all(Array.from({ length: 10 }, () => world.person()));
    await Promise.all([move(quay, people), move(pier, people)]);
    const ended = new Set(await homes(...people));
    expect(ended.size).toBe(1);
    expect(await audited()).toHaveLength(20);
  });

  test("changes features and models from the next request on, sessions stay", async () => {
    await world.call(`/api/v1/organizations/${quay}`, {
      method: "PATCH",
      json: { features: { api_keys: false } },
      as: admin,
    });
    await world.call("/api/v1/users/default/permissions", { json: { features: { api_keys: true } }, as: admin });
    const ada = await world.person();
    const mayHaveKeys = async () =>
      (await world.call<{ features: { api_keys: boolean } }>("/api/v1/users/permissions", { as: ada })).body.features
        .api_keys;
    expect(await mayHaveKeys()).toBe(true);
    await move(quay, [ada]);
    expect(await mayHaveKeys()).toBe(false);
    await world.call(`/api/v1/organizations/${quay}`, {
      method: "PATCH",
      json: { features: { api_keys: true } },
      as: admin,
    });
    expect(await mayHaveKeys()).toBe(true);
  });

  test.each([{}, { user_ids: [] }, { user_ids: "all" }, { user_ids: [1] }, { user_ids: Array(1001).fill("x") }])(
    "refuses %j with 422",
    async (json) => {
      expect((await world.call(`/api/v1/organizations/${quay}/members`, { json, as: admin })).status).toBe(422);
    },
  );
});

describe("the list of an organization's people", () => {
  const list = (query = "", as: Person = admin) =>
    world.call<{
      users: { id: string; name: string; organization_id: string }[];
      total: number;
      next_cursor: string | null;
    }>(`/api/v1/organizations/${quay}/members${query}`, { as });

  test("has them only, searched, sorted and by pages", async () => {
    await world.person({ name: "Elsewhere" });
    for (const name of ["Cleo", "Ada", "Bob"]) await world.person({ name, organizationId: quay });
    const first = (await list("?order_by=name&direction=asc&limit=2")).body;
    expect(first).toMatchObject({ total: 3, users: [{ name: "Ada", organization_id: quay }, { name: "Bob" }] });
    const second = (await list(`?order_by=name&direction=asc&limit=2&cursor=${encodeURIComponent(first.next_cursor!)}`))
      .body;
    expect(second).toMatchObject({ total: 3, next_cursor: null, users: [{ name: "Cleo" }] });
    expect((await list("?query=Bob")).body).toMatchObject({ total: 1 });
    expect((await list("?limit=0")).status).toBe(422);
  });

  test("is for those who manage it; others find nothing, or may not", async () => {
    const [chief, plain, foreign] = [
      await world.person({ organizationId: quay }),
      await world.person({ organizationId: quay }),
      await world.person(),
    ];
    await world.client.execute({
      sql: "UPDATE users SET organization_role = 'admin' WHERE id IN (?, ?)",
      args: [chief.id, foreign.id],
    });
    expect((await list("", chief)).body.total).toBe(2);
    expect([(await list("", plain)).status, (await list("", foreign)).status]).toEqual([403, 404]);
    expect((await world.request("/api/v1/organizations/nothing/members", { as: admin })).status).toBe(404);
    expect((await world.request(`/api/v1/organizations/${await create("Empty")}/members`, { as: admin })).status).toBe(
      200,
    );
  });
});
