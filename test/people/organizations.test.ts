import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startProvider, listing } from "../models/provider.ts";
import { storeConnection } from "../models/store-connection.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";

interface Organization {
  id: string;
  name: string;
  active: boolean;
  is_default: boolean;
  model_ids: string[] | null;
  features: Record<string, boolean>;
  member_count: number;
  code: string;
  detail: string;
}

const base = "/api/v1/organizations";
let world: World;
let admin: Person;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
});
afterEach(() => world.close());

const create = async (json: Record<string, unknown> = {}) => {
  const { status, body } = await world.call<Organization>(base, { json: { name: "Quay", ...json }, as: admin });
  if (status !== 200) throw new Error(`${status}: ${body.detail}`);
  return body;
};
const patch = (id: string, json: unknown, as: Person = admin) =>
  world.call<Organization>(`${base}/${id}`, { method: "PATCH", json, as });
const remove = (id: string, as: Person = admin) =>
  world.call<Organization | true>(`${base}/${id}`, { method: "DELETE", as });
const get = (id: string, as: Person = admin) => world.call<Organization>(`${base}/${id}`, { as });
const actions = async () =>
  (await world.client.execute("SELECT action, organization_id, detail FROM audit_events ORDER BY id")).rows.map(
    (row) => [row.action, JSON.parse(row.detail as string) as unknown],
  );

describe("organizations", () => {
  test("begin with the default one", async () => {
    const { status, body } = await world.call(base, { as: admin });
    expect(status).toBe(200);
    expect(body).toEqual({
      organizations: [
        {
          id: defaultOrganizationId,
          name: expect.any(String),
          active: true,
          is_default: true,
          model_ids: null,
          default_models: null,
          features: expect.objectContaining({ api_keys: true }),
          max_storage: null,
          retention: { chats: null, files: null, channel_messages: null, logs: null },
          requires_second_factor: false,
          member_count: 1,
          storage_bytes: 0,
          file_count: 0,
          created_at: expect.any(Number),
          updated_at: expect.any(Number),
        },
      ],
    });
    expect((await world.call(`${base}/`, { as: admin })).body).toEqual(body);
  });

  test("are made, changed by what is named, and deleted, each with an audit row", async () => {
    const made = await create({ model_ids: ["tide", "tide"], features: { api_keys: false } });
    expect(made).toMatchObject({
      name: "Quay",
      active: true,
      is_default: false,
      model_ids: ["tide"],
      features: { api_keys: false },
      member_count: 0,
    });
    expect((await patch(made.id, { name: " Pier " })).body).toMatchObject({ name: "Pier", model_ids: ["tide"] });
    expect((await patch(made.id, { model_ids: null, features: { api_keys: true } })).body).toMatchObject({
      name: "Pier",
      model_ids: null,
      features: { api_keys: true },
    });
    expect((await patch(made.id, { active: false })).body).toMatchObject({ active: false });
    expect((await patch(made.id, { max_storage: 500 })).body).toMatchObject({ max_storage: 500, storage_bytes: 0 });
    expect((await patch(made.id, { default_models: ["tide", "tide"] })).body).toMatchObject({
      default_models: ["tide"],
    });
    // Nothing changes, nothing is noted.
    await patch(made.id, {
      active: false,
      name: "Pier",
      model_ids: null,
      features: { api_keys: true },
      max_storage: 500,
      default_models: ["tide"],
    });
    expect(await remove(made.id)).toMatchObject({ status: 200, body: true });
    expect((await get(made.id)).status).toBe(404);
    expect(await actions()).toEqual([
      [
        "organization.created",
        {
          name: "Quay",
          active: true,
          model_ids: ["tide"],
          default_models: null,
          features: { api_keys: false },
          max_storage: null,
          retention: {},
          requires_second_factor: false,
        },
      ],
      ["organization.renamed", { name: "Quay", from: "Quay", to: "Pier" }],
      ["organization.models_updated", { name: "Pier", from: ["tide"], to: null }],
      ["organization.features_updated", { name: "Pier", from: { api_keys: false }, to: { api_keys: true } }],
      ["organization.deactivated", { name: "Pier", from: 1, to: 0 }],
      ["organization.storage_limit_updated", { name: "Pier", from: null, to: 500 }],
      ["organization.default_models_updated", { name: "Pier", from: null, to: ["tide"] }],
      ["organization.deleted", { name: "Pier", groups: [], connections: [], landing_rules: 0 }],
    ]);
  });

  test.each([
    {},
    { name: "" },
    { name: 7 },
    { active: "no" },
    { active: null },
    { name: null },
    { model_ids: "all" },
    { model_ids: [1] },
    { features: { api_keys: "no" } },
    { features: null },
  ])("refuse the change %j with 422", async (json) => {
    const { id } = await create();
    expect((await patch(id, json)).status).toBe(422);
  });

  test("refuse features that decide nothing here, and name them", async () => {
    const { id } = await create();
    for (const json of [{ features: { telepathy: false } }, { features: { api_keys: true, telepathy: true } }]) {
      const answers = [await patch(id, json), await world.call(base, { json: { name: "Other", ...json }, as: admin })];
      for (const { status, body } of answers)
        expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining("telepathy")]);
    }
  });

  test.each(["Quay", "qUAY", " quay "])("have names of their own: %j is taken", async (name) => {
    await create();
    const other = await create({ name: "Other" });
    expect(await world.call(base, { json: { name }, as: admin })).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
    expect(await patch(other.id, { name })).toMatchObject({ status: 409 });
    expect((await get(other.id)).body.name).toBe("Other");
  });

  test("fold the case of letters outside ASCII in names too, and may keep their own", async () => {
    const { id } = await create({ name: "Häfen" });
    expect((await world.call(base, { json: { name: "HÄFEN" }, as: admin })).status).toBe(409);
    expect((await world.call(base, { json: { name: "ha\u0308fen" }, as: admin })).status).toBe(409);
    expect((await patch(id, { name: "HÄFEN" })).body).toMatchObject({ name: "HÄFEN" });
  });

  test("made with one name at the same moment are one", async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => world.call(base, { json: { name: "Quay" }, as: admin })),
    );
    expect(made.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test("are 404 where they are unknown, and shown to others only as far as they are their own", async () => {
    const { id } = await create();
    const [ada, bob] = [await world.person(), await world.person({ organizationId: id })];
    const list = async (as: Person) =>
      (await world.call<{ organizations: Organization[] }>(base, { as })).body.organizations.map((entry) => entry.id);
    expect(await list(admin)).toEqual([defaultOrganizationId, id]);
    expect(await list(ada)).toEqual([defaultOrganizationId]);
    expect(await list(bob)).toEqual([id]);
    expect([(await get(id, bob)).status, (await get(id, ada)).status, (await get("nothing")).status]).toEqual([
      200, 404, 404,
    ]);
    expect((await patch("nothing", { name: "X" })).status).toBe(404);
    expect((await remove("nothing")).status).toBe(404);
  });

  test("are for system administrators to change, not for their own", async () => {
    const { id } = await create();
    const bob = await world.person({ organizationId: id });
    await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [bob.id] });
    expect((await world.call(base, { json: { name: "Mine" }, as: bob })).status).toBe(403);
    expect((await patch(id, { features: { api_keys: true } }, bob)).status).toBe(403);
    expect((await remove(id, bob)).status).toBe(403);
    expect((await world.call(`${base}/${id}/members`, { json: { user_ids: [bob.id] }, as: bob })).status).toBe(403);
  });

  test("take two round trips, whatever is done to them", async () => {
    const { id } = await create();
    const calls: [method: string, path: string, json?: unknown][] = [
      ["GET", base],
      ["POST", base, { name: "Other" }],
      ["GET", `${base}/${id}`],
      ["PATCH", `${base}/${id}`, { name: "Pier" }],
      ["POST", `${base}/${id}/members`, { user_ids: [admin.id] }],
      ["GET", `${base}/${id}/members`],
      ["POST", `${base}/${defaultOrganizationId}/members`, { user_ids: [admin.id] }],
      ["DELETE", `${base}/${id}`],
    ];
    for (const [method, path, json] of calls) {
      await world.settled();
      world.roundTrips.reset();
      const { status } = await world.call(path, { method, ...(json === undefined ? {} : { json }), as: admin });
      // One more where people are told after the answer.
      expect([method, path, status, world.roundTrips.count <= (path.endsWith("members") ? 3 : 2)]).toEqual([
        method,
        path,
        200,
        true,
      ]);
    }
  });
});

describe("switching an organization off", () => {
  test("keeps its people out from their next request, and lets them in again", async () => {
    const { id } = await create();
    const bob = await world.person({ organizationId: id, password: "correct horse" });
    expect((await world.request("/api/v1/auths/", { as: bob })).status).toBe(200);
    await patch(id, { active: false });
    expect(await world.call("/api/v1/auths/", { as: bob })).toMatchObject({
      status: 403,
      body: { code: "organization_inactive" },
    });
    await world.settled();
    expect(world.live.rechecked).toEqual([bob.id]);
    await patch(id, { active: true });
    expect((await world.request("/api/v1/auths/", { as: bob })).status).toBe(200);
  });

  test("tells the open connections of all who were here within two days, however many they are", async () => {
    const { id } = await create();
    const now = world.services.now();
    const rows = Array.from({ length: 450 }, (_, at) => [`p${at}`, now - (at < 420 ? 60 : 3 * 24 * 3600)]);
    await world.client.execute({
      sql: `INSERT INTO users (id, email, name, role, organization_id, last_active_at, created_at, updated_at)
        SELECT value ->> 0, (value ->> 0) || '@harbour.example', 'P', 'user', ?, value ->> 1, 0, 0 FROM json_each(?)`,
      args: [id, JSON.stringify(rows)],
    });
    await patch(id, { features: { api_keys: false } });
    await world.settled();
    expect(new Set(world.live.rechecked)).toEqual(new Set(rows.slice(0, 420).map(([person]) => person)));
    expect(world.live.rechecked).toHaveLength(420);
  });

  test("is refused for the default one", async () => {
    const second = await create();
    await world.call(`${base}/${second.id}/members`, { json: { user_ids: [admin.id] }, as: admin });
    expect(await patch(defaultOrganizationId, { active: false })).toMatchObject({
      status: 409,
      body: { code: "conflict", detail: expect.stringContaining("default organization") },
    });
    expect((await get(defaultOrganizationId)).body.active).toBe(true);
  });

  test("is refused for the home of the administrator who does it, and of the first one", async () => {
    const { id } = await create();
    const second = await world.person({ role: "admin", organizationId: id });
    expect(await patch(id, { active: false }, second)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("You belong") },
    });
    await world.call(`${base}/${id}/members`, { json: { user_ids: [admin.id] }, as: admin });
    const third = await world.person({ role: "admin" });
    expect(await patch(id, { active: false }, third)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("first administrator") },
    });
    expect((await get(id)).body.active).toBe(true);
  });

  test("by two administrators to each other at the same moment leaves one who can sign in", async () => {
    const [quay, pier] = [await create(), await create({ name: "Pier" })];
    const [ada, bob] = [
      await world.person({ role: "admin", organizationId: quay.id }),
      await world.person({ role: "admin", organizationId: pier.id }),
    ];
    await world.client.execute({ sql: "DELETE FROM users WHERE id = ?", args: [admin.id] });
    // Neither is the first administrator any more: somebody who cannot sign in is.
    await world.client.execute(
      `INSERT INTO users (id, email, name, role, active, organization_id, last_active_at, created_at, updated_at)
       VALUES ('first', 'first@harbour.example', 'First', 'admin', 0, '${defaultOrganizationId}', 0, 0, 0)`,
    );
    const answers = await Promise.all([patch(pier.id, { active: false }, ada), patch(quay.id, { active: false }, bob)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 403]);
  });

  test("does not stop the change of who cannot sign in from being the last: the rule counts homes too", async () => {
    const { id } = await create();
    const second = await world.person({ role: "admin", organizationId: id });
    await patch(id, { active: false });
    const demote = await world.call(`/api/v1/users/${admin.id}/update`, { json: { role: "user" }, as: admin });
    expect(demote).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("one active administrator") },
    });
    expect(second.role).toBe("admin");
  });
});

describe("deleting an organization", () => {
  test("is refused while anybody belongs to it, and for the default one", async () => {
    const { id } = await create();
    await world.person({ organizationId: id, active: false });
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: { code: "conflict", detail: expect.stringContaining("One person") },
    });
    await world.person({ organizationId: id });
    expect(await remove(id)).toMatchObject({ status: 409, body: { detail: expect.stringContaining("2 people") } });
    expect((await remove(defaultOrganizationId)).status).toBe(409);
    expect((await get(id)).body.member_count).toBe(2);
  });

  test("takes along groups, connections, landing rules and what was shared with it", async () => {
    const provider = await startProvider(listing("tide"));
    const { id } = await create();
    const connection = await storeConnection(world, { base_url: provider.origin, name: "Theirs" });
    await world.client.batch([
      { sql: "UPDATE connections SET organization_id = ? WHERE id = ?", args: [id, connection] },
      { sql: "INSERT INTO connection_checks VALUES (?, 1, NULL, NULL, 1, 1, 1)", args: [connection] },
      { sql: "INSERT INTO landing_rules VALUES ('r', 0, 'group', '', 'x', ?, 0)", args: [id] },
      {
        sql: "INSERT INTO groups (id, organization_id, name, permissions, created_at, updated_at) VALUES ('g', ?, 'Crew', '{}', 0, 0)",
        args: [id],
      },
      { sql: "INSERT INTO grants VALUES ('1', 'model', 'm', 'organization', ?, 'read', 0)", args: [id] },
      { sql: "INSERT INTO grants VALUES ('2', 'model', 'm', 'group', 'g', 'read', 0)", args: [] },
      { sql: "INSERT INTO grants VALUES ('3', 'model', 'm', 'user', '*', 'read', 0)", args: [] },
    ]);
    expect((await remove(id)).status).toBe(200);
    for (const table of ["connections", "connection_checks", "landing_rules", "groups"])
      expect([table, (await world.client.execute(`SELECT 1 FROM ${table}`)).rows.length]).toEqual([table, 0]);
    expect((await world.client.execute("SELECT id FROM grants")).rows.map((row) => row.id)).toEqual(["3"]);
    expect((await actions()).at(-1)).toEqual([
      "organization.deleted",
      { name: "Quay", groups: ["Crew"], connections: ["Theirs"], landing_rules: 1 },
    ]);
    await provider.close();
  });

  test("and moving somebody there at the same moment leaves nobody without a home", async () => {
    const ada = await world.person();
    for (let round = 0; round < 5; round++) {
      const { id } = await create({ name: `Quay ${round}` });
      const [moved, removed] = await Promise.all([
        world.call(`${base}/${id}/members`, { json: { user_ids: [ada.id] }, as: admin }),
        remove(id),
      ]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([moved.status, removed.status]);
      expect((await world.request("/api/v1/auths/", { as: ada })).status).toBe(200);
    }
  });
});
