import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ManagedApiKeyList } from "../../../src/people/auth/api-keys/schema.ts";
import type { MadeServiceKey } from "../../../src/people/service-accounts/schema.ts";
import type { Person, World } from "../../world.ts";
import { createKeyWorld, makeKey } from "../auth/api-keys/key-world.ts";
import { makeService, makeServiceKey } from "./service-world.ts";

let world: World;
let admin: Person;
let service: string;
beforeEach(async () => {
  world = await createKeyWorld({ USER_PERMISSIONS_FEATURES_API_KEYS: "false" });
  admin = await world.admin();
  ({ id: service } = await makeService(world, admin));
});
afterEach(() => world.close());

const make = (json: object, as: Person | string = admin, id = service) =>
  world.call<{ code: string; param: string; detail: string }>(`/api/v1/users/${id}/api_keys`, { as, json });
const rotate = (keyId: string, json: object = {}, as: Person | string = admin, id = service) =>
  world.call<MadeServiceKey>(`/api/v1/users/${id}/api_keys/${keyId}/rotate`, { as, json });
const status = async (key: string, path = "/api/models", method = "GET") =>
  (await world.request(path, { method, as: key })).status;

describe("a key of a service account", () => {
  test("is made by administrators, works without the permission that people need, and is told once", async () => {
    const response = await world.request(`/api/v1/users/${service}/api_keys`, { as: admin, json: { name: "probe" } });
    expect(response.headers.get("cache-control")).toBe("no-store");
    const made = (await response.json()) as MadeServiceKey;
    expect(made).toMatchObject({ name: "probe", allowed_endpoints: null, expires_at: null });
    const { body } = await world.call<ManagedApiKeyList>(`/api/v1/auths/admin/api_keys?user_id=${service}`, {
      as: admin,
    });
    expect(body.api_keys).toMatchObject([
      { id: made.id, hint: made.api_key.slice(-4), user: { id: service, kind: "service" }, last_used_at: null },
    ]);
    expect(JSON.stringify(body)).not.toContain(made.api_key);
    expect(await status(made.api_key)).toBe(200);
    await world.settled();
    const after = await world.call<ManagedApiKeyList>(`/api/v1/auths/admin/api_keys?user_id=${service}`, { as: admin });
    expect(after.body.api_keys[0]!.last_used_at).toBeGreaterThan(0);
  });

  test("calls what its list has, and nothing else; the list of the settings narrows it further", async () => {
    const allowed = "GET /api/models, POST /api/chat/completions";
    const { api_key: key } = await makeServiceKey(world, admin, service, { allowed_endpoints: allowed });
    expect(await status(key)).toBe(200);
    expect(await status(key, "/api/v1/models")).toBe(200);
    expect(await status(key, "/api/v1/users/groups")).toBe(401);
    expect(await status(key, "/api/%6dodels")).not.toBe(200);
    expect((await world.call("/api/v1/chat/completions", { as: key, json: {} })).status).toBe(422);
    const refused = await world.call<{ code: string; detail: string }>("/api/v1/users/groups", { as: key });
    expect(refused.body).toMatchObject({ code: "endpoint_not_listed", detail: expect.stringContaining("key's list") });
    const whole = await makeServiceKey(world, admin, service);
    expect(await status(whole.api_key, "/api/v1/users/groups")).toBe(200);
    await world.call("/api/v1/auths/admin/config", {
      as: admin,
      json: { ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: true, API_KEYS_ALLOWED_ENDPOINTS: "GET /api/models" },
    });
    expect(await status(key)).toBe(200);
    expect((await world.call("/api/chat/completions", { as: key, json: {} })).status).toBe(401);
    expect(await status(whole.api_key, "/api/v1/users/groups")).toBe(401);
  });

  test("ends when it is told to", async () => {
    const end = world.services.now() + 3600;
    const { api_key: key } = await makeServiceKey(world, admin, service, { expires_at: end });
    expect(await status(key)).toBe(200);
    world.advance(3601);
    expect(await status(key)).toBe(401);
    expect((await make({ expires_at: world.services.now() })).body).toMatchObject({ issues: [{ path: "expires_at" }] });
  });

  test.each([
    [{ allowed_endpoints: "" }],
    [{ allowed_endpoints: " , " }],
    [{ allowed_endpoints: "GET /api/model" }],
    [{ allowed_endpoints: "/api/models, GET /api/v1/nothing" }],
    [{ allowed_endpoints: 7 }],
    [{ allowed_endpoints: "x".repeat(10_001) }],
    [{ expires_at: 1 }],
    [{ expires_at: "tomorrow" }],
    [{ name: "a\u0000b" }],
    [{ user_id: "somebody" }],
  ])("is not made of %j", async (json) => {
    expect((await make(json)).status).toBe(422);
    expect((await world.client.execute("SELECT 1 FROM api_keys")).rows).toEqual([]);
  });

  test("is made for no person, for no unknown account, by no key and by nobody else", async () => {
    const ada = await world.person();
    for (const id of [ada.id, admin.id, "nobody"]) expect((await make({}, admin, id)).status).toBe(404);
    expect((await make({}, ada)).status).toBe(403);
    const { api_key: key } = await makeKey(world, admin);
    expect((await make({}, key)).status).toBe(403);
    const robot = await makeService(world, admin, { role: "admin" });
    const { api_key: robotKey } = await makeServiceKey(world, admin, robot.id);
    expect((await make({}, robotKey)).status).toBe(403);
    expect((await world.call("/api/v1/auths/api_key", { as: robotKey, json: {} })).status).toBe(403);
  });

  test("is not made while keys are off, and none works then", async () => {
    const { api_key: key } = await makeServiceKey(world, admin, service);
    await world.close();
    world = await createKeyWorld({ ENABLE_API_KEYS: "false" });
    admin = await world.admin();
    ({ id: service } = await makeService(world, admin));
    expect((await make({})).body).toMatchObject({ code: "key_not_allowed" });
    expect(await status(key)).toBe(401);
  });

  test("cannot be made in large numbers, also at once", async () => {
    const answers = await Promise.all(Array.from({ length: 55 }, () => make({})));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(50);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(5);
  });

  test("of an administrator's account is not made by an organization's administrators", async () => {
    const mara = await world.person();
    await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [mara.id] });
    expect((await make({}, mara)).status).toBe(200);
    const robot = await makeService(world, admin, { role: "admin" });
    expect((await make({}, mara, robot.id)).status).toBe(404);
  });
});

test("nobody gets permissions through a key that they do not have themselves", async () => {
  const mara = await world.person();
  await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [mara.id] });
  const key = await makeServiceKey(world, mara, service);
  const json = { name: "Writers", description: "", permissions: { workspace: { tools: true } } };
  const group = await world.call<{ id: string }>("/api/v1/groups/create", { as: admin, json });
  await world.call(`/api/v1/groups/id/${group.body.id}/users/add`, { as: admin, json: { user_ids: [service] } });
  expect((await make({}, mara)).status).toBe(403);
  expect((await rotate(key.id, {}, mara)).status).toBe(403);
  expect(await status(key.api_key)).toBe(200);
  expect((await make({}, admin)).status).toBe(200);
  await world.call(`/api/v1/groups/id/${group.body.id}/users/add`, { as: admin, json: { user_ids: [mara.id] } });
  expect((await make({}, mara)).status).toBe(200);
});

describe("rotation", () => {
  test("gives a key with the same name, list and end, and the old one ends at once", async () => {
    const end = world.services.now() + 86_400;
    const fields = { name: "probe", allowed_endpoints: "GET /api/models", expires_at: end };
    const old = await makeServiceKey(world, admin, service, fields);
    const { status: answered, body } = await rotate(old.id);
    expect([answered, body]).toEqual([200, { ...body, ...fields }]);
    expect(body.id).not.toBe(old.id);
    expect(await status(old.api_key)).toBe(401);
    expect(await status(body.api_key)).toBe(200);
    expect(await status(body.api_key, "/api/v1/users/groups")).toBe(401);
    expect((await rotate(old.id)).status).toBe(404);
  });

  test("lets both work for a while, and never lengthens the old one's time", async () => {
    const old = await makeServiceKey(world, admin, service, { expires_at: world.services.now() + 100 });
    const lasting = await makeServiceKey(world, admin, service);
    const { body } = await rotate(old.id, { keep_old_seconds: 600 });
    const { body: other } = await rotate(lasting.id, { keep_old_seconds: 600 });
    expect([await status(old.api_key), await status(body.api_key), await status(lasting.api_key)]).toEqual([
      200, 200, 200,
    ]);
    world.advance(101);
    expect([await status(old.api_key), await status(body.api_key)]).toEqual([401, 401]);
    expect(await status(lasting.api_key)).toBe(200);
    world.advance(500);
    expect([await status(lasting.api_key), await status(other.api_key)]).toEqual([401, 200]);
  });

  test("is refused for keys of others, of people and for nonsense", async () => {
    const key = await makeServiceKey(world, admin, service);
    const other = await makeService(world, admin, { name: "Other" });
    expect((await rotate(key.id, {}, admin, other.id)).status).toBe(404);
    const own = await makeKey(world, admin);
    expect((await rotate(own.id, {}, admin, admin.id)).status).toBe(404);
    expect((await rotate(own.id)).status).toBe(404);
    expect((await rotate(key.id, { keep_old_seconds: 604_801 })).status).toBe(422);
    expect((await rotate(key.id, {}, own.api_key)).status).toBe(403);
    expect((await rotate(key.id, {}, await world.person())).status).toBe(403);
    expect(await status(key.api_key)).toBe(200);
  });

  test("twice at once makes one new key", async () => {
    const key = await makeServiceKey(world, admin, service);
    const answers = await Promise.all([rotate(key.id), rotate(key.id), rotate(key.id)]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 404, 404]);
    expect((await world.client.execute("SELECT 1 FROM api_keys")).rows).toHaveLength(1);
  });

  test("is possible with all the keys that there may be", async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, () => makeServiceKey(world, admin, service)));
    expect((await rotate(keys[0]!.id)).status).toBe(200);
    expect((await rotate(keys[1]!.id, { keep_old_seconds: 60 })).status).toBe(409);
    expect(await status(keys[1]!.api_key)).toBe(200);
  });
});
