import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { UserList } from "../../../src/people/users/schema.ts";
import { defaultOrganizationId, type Person, type World } from "../../world.ts";
import { createKeyWorld } from "../auth/api-keys/key-world.ts";
import { makeService, makeServiceKey } from "./service-world.ts";

let world: World;
let admin: Person;
beforeEach(async () => {
  world = await createKeyWorld();
  admin = await world.admin();
});
afterEach(() => world.close());

const create = (json: unknown, as: Person = admin) => world.call("/api/v1/users/service_accounts", { as, json });
const audited = async (action: string) =>
  (await world.client.execute({ sql: "SELECT * FROM audit_events WHERE action = ?", args: [action] })).rows;
const count = async (table: string) => (await world.client.execute(`SELECT 1 FROM ${table}`)).rows.length;

async function organization(name: string): Promise<string> {
  return (await world.call<{ id: string }>("/api/v1/organizations", { as: admin, json: { name } })).body.id;
}

async function manager(organizationId: string): Promise<Person> {
  const person = await world.person({ organizationId, name: "Mara" });
  await world.client.execute({
    sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?",
    args: [person.id],
  });
  return person;
}

describe("a service account", () => {
  test("is made by an administrator, without a password, a session or a webhook for new people", async () => {
    await world.call("/api/v1/auths/admin/config", { as: admin, json: { WEBHOOK_URL: "https://hooks.example/new" } });
    const before = { passwords: await count("passwords"), sessions: await count("sessions") };
    const made = await makeService(world, admin, { bio: "Asks every minute" });
    expect(made).toMatchObject({
      name: "Probe",
      kind: "service",
      role: "user",
      organization_id: defaultOrganizationId,
      organization_role: "member",
      bio: "Asks every minute",
      free_probes: 0,
      email: `service-${made.id}@service.invalid`,
    });
    expect({ passwords: await count("passwords"), sessions: await count("sessions") }).toEqual(before);
    expect(await count("webhook_deliveries")).toBe(0);
    expect(await audited("service_account.created")).toMatchObject([{ target_id: made.id, actor_id: admin.id }]);
    // Of a person the webhook is told.
    const person = { name: "Bo", email: "bo@harbour.example", password: "correct horse battery staple", role: "user" };
    await world.call("/api/v1/auths/add", { as: admin, json: person });
    expect(await count("webhook_deliveries")).toBe(1);
  });

  test("is told apart in lists, and the list can have only those", async () => {
    const made = await makeService(world, admin);
    await makeService(world, admin, { name: "Bot" });
    const all = await world.call<UserList>("/api/v1/users/", { as: admin });
    expect(all.body.users.map(({ name, kind }) => [name, kind]).toSorted()).toEqual([
      ["Bot", "service"],
      ["Grace", "person"],
      ["Probe", "service"],
    ]);
    const only = await world.call<UserList>("/api/v1/users/?kind=service&query=prob", { as: admin });
    expect(only.body).toMatchObject({ total: 1, users: [{ id: made.id }] });
    expect((await world.call("/api/v1/users/?kind=robot", { as: admin })).status).toBe(422);
    for (const path of ["/api/v1/users/all", "/api/v1/users/search?query=bot"])
      expect((await world.call<UserList>(path, { as: admin })).body.users).toContainEqual(
        expect.objectContaining({ name: "Bot", kind: "service" }),
      );
    expect((await world.call(`/api/v1/users/${made.id}`, { as: admin })).body).toMatchObject({ kind: "service" });
    expect((await world.call(`/api/v1/users/${made.id}/info`, { as: admin })).body).toMatchObject({ kind: "service" });
  });

  test("belongs to the organization that is named, and an organization's administrators make theirs", async () => {
    const north = await organization("North");
    expect(await makeService(world, admin, { organization_id: north })).toMatchObject({ organization_id: north });
    const mara = await manager(north);
    expect(await makeService(world, mara, { name: "Own" })).toMatchObject({ organization_id: north });
    expect((await create({ name: "x", organization_id: defaultOrganizationId }, mara)).status).toBe(422);
    expect((await create({ name: "x", organization_id: "nowhere" })).body).toMatchObject({
      issues: [{ path: "organization_id" }],
    });
    expect((await create({ name: "x", role: "admin" }, mara)).status).toBe(403);
    expect((await create({ name: "x", free_probes: 5 }, mara)).status).toBe(403);
    expect((await create({ name: "x" }, await world.person())).status).toBe(403);
    expect((await world.call("/api/v1/users/service_accounts", { json: { name: "x" } })).status).toBe(401);
  });

  test.each([
    [{}],
    [{ name: " " }],
    [{ name: "a\nb" }],
    [{ name: "x", role: "pending" }],
    [{ name: "x", password: "secret" }],
    [{ name: "x", free_probes: 361 }],
    [{ name: "x", free_probes: -1 }],
    [{ name: "x", bio: "x".repeat(1001) }],
    [[]],
  ])("is not made of %j", async (json) => {
    expect((await create(json)).status).toBe(422);
    expect(await count("users")).toBe(1);
  });
});

describe("nobody signs in to it", () => {
  const password = "correct horse battery staple";

  test("with a password, which nobody can give it", async () => {
    const { id, email } = await makeService(world, admin);
    const signIn = await world.call("/api/v1/auths/signin", { json: { email, password } });
    const stranger = await world.call("/api/v1/auths/signin", { json: { email: "nobody@service.invalid", password } });
    expect(signIn.status).toBe(400);
    const { request_id: _, ...told } = signIn.body;
    expect(told).toEqual({ ...stranger.body, request_id: undefined });
    const update = await world.call(`/api/v1/users/${id}/update`, { as: admin, json: { password } });
    expect(update).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(await count("passwords")).toBe(0);
    const { api_key: key } = await makeServiceKey(world, admin, id);
    const own = { password, new_password: `${password}!` };
    expect((await world.call("/api/v1/auths/update/password", { as: key, json: own })).status).toBe(400);
    expect(await count("passwords")).toBe(0);
  });

  test("with an address of somebody: it keeps its own", async () => {
    const { id, email } = await makeService(world, admin);
    const change = (json: object) => world.call(`/api/v1/users/${id}/update`, { as: admin, json });
    expect((await change({ email: "ada@harbour.example" })).status).toBe(422);
    // A form sends what it has.
    expect((await change({ email, name: "Renamed" })).body).toMatchObject({ email, name: "Renamed" });
  });

  test("with a session, wherever one came from", async () => {
    const { id } = await makeService(world, admin);
    // As if some way in had been forgotten: the token of a person's session, moved to the account.
    const person = await world.person();
    await world.client.execute({ sql: "UPDATE users SET kind = 'service' WHERE id = ?", args: [person.id] });
    expect((await world.call("/api/v1/auths/", { as: person })).status).toBe(401);
    expect(id).not.toBe(person.id);
  });

  test("nor is it the service's only administrator", async () => {
    const { id } = await makeService(world, admin, { role: "admin" });
    const { api_key: key } = await makeServiceKey(world, admin, id);
    // The only person who is one stays it, whoever asks; and a machine is never the first.
    expect((await world.call(`/api/v1/users/${admin.id}/update`, { as: admin, json: { role: "user" } })).status).toBe(
      403,
    );
    await world.client.execute({ sql: "UPDATE users SET created_at = 1 WHERE id = ?", args: [id] });
    expect((await world.call(`/api/v1/users/${admin.id}`, { method: "DELETE", as: key })).status).toBe(403);
    expect((await world.call(`/api/v1/users/${id}/update`, { as: admin, json: { role: "user" } })).status).toBe(200);
  });
});

describe("its account", () => {
  test("is switched off, moved and deleted like others, with its keys", async () => {
    const { id } = await makeService(world, admin);
    const { api_key: key } = await makeServiceKey(world, admin, id);
    const listed = async () => (await world.call("/api/models", { as: key })).status;
    expect(await listed()).toBe(200);
    const north = await organization("North");
    await world.call(`/api/v1/organizations/${north}/members`, { as: admin, json: { user_ids: [id] } });
    expect((await world.call("/api/v1/auths/", { as: key })).body).toMatchObject({ organization_id: north });
    await world.call(`/api/v1/users/${id}/update`, { as: admin, json: { active: false } });
    expect(await listed()).toBe(401);
    await world.call(`/api/v1/users/${id}/update`, { as: admin, json: { active: true } });
    expect(await listed()).toBe(200);
    expect((await world.call(`/api/v1/users/${id}`, { method: "DELETE", as: admin })).status).toBe(200);
    expect(await listed()).toBe(401);
    expect(await count("api_keys")).toBe(0);
  });

  test("has what its groups give, and is named as what it is in the audit log", async () => {
    const { id } = await makeService(world, admin);
    const permissions = { sharing: { public_prompts: true } };
    const group = await world.call<{ id: string }>("/api/v1/groups/create", {
      as: admin,
      json: { name: "Bots", description: "", permissions },
    });
    await world.call(`/api/v1/groups/id/${group.body.id}/users/add`, { as: admin, json: { user_ids: [id] } });
    const { api_key: key } = await makeServiceKey(world, admin, id);
    const own = await world.call<{ permissions: { sharing: object } }>("/api/v1/auths/", { as: key });
    expect(own.body.permissions.sharing).toMatchObject({ public_prompts: true });
    await world.call("/api/v1/auths/update/profile", { as: key, json: { name: "Renamed" } });
    const log = await world.call<{ events: { actor: object; action: string }[] }>(`/api/v1/audit?actor_id=${id}`, {
      as: admin,
    });
    expect(log.body.events).toMatchObject([
      { action: "user.profile_updated", actor: { kind: "api-key", id, name: "Renamed", is_service: true } },
    ]);
    const byAdmin = await world.call<{ events: { actor: object }[] }>("/api/v1/audit?action=service_account.created", {
      as: admin,
    });
    expect(byAdmin.body.events).toMatchObject([{ actor: { is_service: false } }]);
  });

  test("says so below what it writes in channels", async () => {
    const { id } = await makeService(world, admin, { role: "admin" });
    const { api_key: key } = await makeServiceKey(world, admin, id);
    const channel = await world.call<{ id: string }>("/api/v1/channels/create", { as: key, json: { name: "alerts" } });
    expect(channel.status).toBe(200);
    const path = `/api/v1/channels/${channel.body.id}/messages`;
    await world.call(`${path}/post`, { as: key, json: { content: "Down" } });
    const read = await world.call<{ user: object }[]>(path, { as: key });
    expect(read.body).toMatchObject([{ content: "Down", user: { id, is_service: true } }]);
    const own = await world.call<{ id: string }>("/api/v1/channels/create", { as: admin, json: { name: "crew" } });
    const ownPath = `/api/v1/channels/${own.body.id}/messages`;
    await world.call(`${ownPath}/post`, { as: admin, json: { content: "On it" } });
    const [message] = (await world.call<{ user: object }[]>(ownPath, { as: admin })).body;
    expect(message!.user).toMatchObject({ id: admin.id });
    expect(message!.user).not.toHaveProperty("is_service");
  });

  test("does not count as somebody who is there", async () => {
    const { id } = await makeService(world, admin);
    const { api_key: key } = await makeServiceKey(world, admin, id);
    const users = async () => (await world.call<{ user_count: number }>("/api/usage", { as: admin })).body.user_count;
    const before = await users();
    await world.call("/api/models", { as: key });
    await world.settled();
    expect(await users()).toBe(before);
  });
});
