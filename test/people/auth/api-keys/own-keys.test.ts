import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { servicesWith } from "../../../../src/context.ts";
import { auditEvents } from "../../../../src/people/audit/tables.ts";
import { createWorld, type Person, type World } from "../../../world.ts";
import { createKeyWorld, makeKey } from "./key-world.ts";

const path = "/api/v1/auths/api_key";
const allow = `INSERT INTO settings VALUES ('permissions.default', '{"features":{"api_keys":true}}', 0)`;

interface Listed {
  id: string;
  name: string;
  hint: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
}

let world: World;
let ada: Person;
beforeEach(async () => {
  world = await createKeyWorld();
  ada = await world.person();
});
afterEach(() => world.close());

const list = async (as: Person | string = ada) =>
  (await world.call<{ api_keys: Listed[] }>("/api/v1/auths/api_keys", { as })).body.api_keys;
const remove = (id: string, as: Person | string = ada) =>
  world.call<{ code?: string }>(`/api/v1/auths/api_keys/${id}`, { method: "DELETE", as });
const status = async (token: string) => (await world.request("/api/models", { as: token })).status;
const stored = async () => (await world.client.execute("SELECT * FROM api_keys")).rows;

describe("making a key", () => {
  test("answers once with a secret that works, and stores only its hash and its end", async () => {
    const response = await world.request(path, { as: ada, json: { name: "  backup script " } });
    expect(response.headers.get("cache-control")).toBe("no-store");
    const key = (await response.json()) as { id: string; api_key: string };
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      name: "backup script",
      api_key: expect.stringMatching(/^sk-[A-Za-z0-9_-]{40,}$/) as unknown,
      created_at: world.services.now(),
    });
    expect(await status(key.api_key)).toBe(200);
    const [row] = await stored();
    expect(row!["hash"]).toMatch(/^[0-9a-f]{64}$/);
    expect(row!["hint"]).toBe(key.api_key.slice(-4));
    expect(JSON.stringify(row)).not.toContain(key.api_key.slice(3, -4));
  });

  test.each([[undefined], [{}], [{ name: "" }], [{ name: null }], [{ name: "   " }]])(
    "needs no name (%j)",
    async (json) => {
      const { status: code, body } = await world.call(path, {
        as: ada,
        ...(json === undefined ? { method: "POST" } : { json }),
      });
      expect(code).toBe(200);
      expect(body).toMatchObject({ name: "API key" });
    },
  );

  test.each([["x".repeat(101)], [7], [true], [["a"]], ["two\nlines"], ["nul\u0000"], ["half \ud800"]])(
    "refuses %j as a name",
    async (name) => {
      expect((await world.call(path, { as: ada, json: { name } })).status).toBe(422);
      expect(await stored()).toEqual([]);
    },
  );

  test("takes names of 100 characters, and the same one twice", async () => {
    const name = "ü".repeat(100);
    await makeKey(world, ada, name);
    await makeKey(world, ada, name);
    expect((await list()).map((key) => key.name)).toEqual([name, name]);
  });

  test("makes another secret each time", async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, async () => (await makeKey(world, ada)).api_key));
    expect(new Set(secrets).size).toBe(20);
  });

  test("is not possible with a key, whoever's", async () => {
    for (const person of [ada, await world.admin()]) {
      const { api_key } = await makeKey(world, person);
      const { status: code, body } = await world.call(path, { as: api_key, json: {} });
      expect([code, body["code"]]).toEqual([403, "forbidden"]);
    }
  });

  test("stops at fifty keys for each person, however many ask at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, async () => (await world.call(path, { as: ada, json: {} })).status),
    );
    expect(answers.filter((code) => code === 200)).toHaveLength(50);
    expect(answers.filter((code) => code === 409)).toHaveLength(10);
    expect(await list()).toHaveLength(50);
    const made = (await world.db.select().from(auditEvents)).filter((row) => row.action === "api_key.created");
    expect(made).toHaveLength(50);
    await makeKey(world, await world.person());
    await remove((await list())[0]!.id);
    await makeKey(world, ada);
  });

  test("of somebody whose account has just gone is no conflict", async () => {
    const { lookup } = world.services;
    const racing = servicesWith(world.services, {
      async lookup(statement) {
        const found = await lookup(statement);
        await world.client.execute({ sql: "DELETE FROM users WHERE id = ?", args: [ada.id] });
        return found;
      },
    });
    const request = new Request(`http://parley.test${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}` },
    });
    const response = await world.app.fetch(request, racing);
    expect(response.status).toBe(401);
    expect(await stored()).toEqual([]);
  });
});

describe("who may make keys", () => {
  const make = async (as: Person) => {
    const { status: code, body } = await world.call(path, { as, json: {} });
    return [code, body["code"]];
  };

  beforeEach(async () => {
    await world.close();
    world = await createWorld();
    ada = await world.person();
  });

  test("nobody while they are switched off, not even administrators", async () => {
    await world.client.execute(allow);
    expect(await make(ada)).toEqual([403, "key_not_allowed"]);
    expect(await make(await world.admin())).toEqual([403, "key_not_allowed"]);
  });

  test("administrators at once, others with the permission from the defaults or a group", async () => {
    await world.client.execute(`INSERT INTO settings VALUES ('ENABLE_API_KEYS', 'true', 0)`);
    expect(await make(await world.admin())).toEqual([200, undefined]);
    expect(await make(ada)).toEqual([403, "key_not_allowed"]);
    await world.client.batch([
      `INSERT INTO groups (id, organization_id, name, permissions, created_at, updated_at) VALUES ('g', '00000000-0000-7000-8000-000000000001', 'Bots', '{"features":{"api_keys":true}}', 0, 0)`,
      { sql: "INSERT INTO group_members (group_id, user_id, created_at) VALUES ('g', ?, 0)", args: [ada.id] },
    ]);
    expect(await make(ada)).toEqual([200, undefined]);
    const bob = await world.person();
    expect(await make(bob)).toEqual([403, "key_not_allowed"]);
    await world.client.execute(allow);
    expect(await make(bob)).toEqual([200, undefined]);
    await world.client.execute(`UPDATE organizations SET features = '{"api_keys":false}'`);
    expect(await make(bob)).toEqual([403, "key_not_allowed"]);
    expect(await make(await world.admin())).toEqual([200, undefined]);
  });

  test("nobody who waits for approval", async () => {
    await world.client.batch([allow, `INSERT INTO settings VALUES ('ENABLE_API_KEYS', 'true', 0)`]);
    expect(await make(await world.person({ role: "pending" }))).toEqual([403, "account_pending"]);
  });
});

describe("the list", () => {
  test("has the caller's own keys, newest first, without any secret", async () => {
    await makeKey(world, await world.person(), "bob's");
    const one = await makeKey(world, ada, "one");
    const two = await makeKey(world, ada, "two");
    const { body } = await world.call("/api/v1/auths/api_keys", { as: ada });
    expect(body).toEqual({
      api_keys: [two, one].map((key) => ({
        id: key.id,
        name: key.name,
        hint: key.api_key.slice(-4),
        allowed_endpoints: null,
        created_at: key.created_at,
        expires_at: null,
        last_used_at: null,
      })),
    });
  });

  test("is kept, and can be cleaned up, while keys are switched off", async () => {
    const off = await createWorld();
    const bob = await off.person();
    await off.client.execute({
      sql: "INSERT INTO api_keys (id, user_id, name, hash, created_at) VALUES ('k', ?, 'old', 'h', 0)",
      args: [bob.id],
    });
    expect((await off.call<{ api_keys: Listed[] }>("/api/v1/auths/api_keys", { as: bob })).body.api_keys).toHaveLength(
      1,
    );
    expect((await off.call("/api/v1/auths/api_keys/k", { as: bob, method: "DELETE" })).status).toBe(200);
    await off.close();
  });
});

describe("deleting a key", () => {
  test("ends it at once, tells what is open, and leaves a row in the audit log", async () => {
    const key = await makeKey(world, ada, "one");
    const other = await makeKey(world, ada, "other");
    expect(await remove(key.id)).toMatchObject({ status: 200, body: true });
    expect(await status(key.api_key)).toBe(401);
    expect(await status(other.api_key)).toBe(200);
    expect(world.live.rechecked).toEqual([ada.id]);
    const rows = await world.db.select().from(auditEvents);
    expect(rows.at(-1)).toMatchObject({
      action: "api_key.deleted",
      targetType: "api_key",
      targetId: key.id,
      actorId: ada.id,
      actorKind: "session",
      organizationId: "00000000-0000-7000-8000-000000000001",
      detail: { name: "one", user_id: ada.id },
    });
    expect(rows.at(-1)!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(JSON.stringify(rows)).not.toContain(key.api_key);
  });

  test("of somebody else, of nobody, or twice is 404 and changes nothing", async () => {
    const bobs = await makeKey(world, await world.person());
    const key = await makeKey(world, ada);
    for (const id of [bobs.id, "nothing", "%20", "a'--", "x".repeat(200)]) {
      expect(await remove(id)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    await remove(key.id);
    expect((await remove(key.id)).status).toBe(404);
    expect(await status(bobs.api_key)).toBe(200);
    expect((await world.db.select().from(auditEvents)).filter((row) => row.action === "api_key.deleted")).toHaveLength(
      1,
    );
  });

  test("many times at once succeeds once", async () => {
    const key = await makeKey(world, ada);
    const answers = await Promise.all(Array.from({ length: 8 }, async () => (await remove(key.id)).status));
    expect(answers.sort()).toEqual([200, ...Array.from({ length: 7 }, () => 404)]);
    expect((await world.db.select().from(auditEvents)).filter((row) => row.action === "api_key.deleted")).toHaveLength(
      1,
    );
  });

  test("while it is used lets requests through or not, and none that begins afterwards", async () => {
    const key = await makeKey(world, ada);
    const during = Array.from({ length: 20 }, () => status(key.api_key));
    expect((await remove(key.id)).status).toBe(200);
    expect(await Promise.all(Array.from({ length: 5 }, () => status(key.api_key)))).toEqual([401, 401, 401, 401, 401]);
    for (const answer of await Promise.all(during)) expect([200, 401]).toContain(answer);
    await world.settled();
    expect(await stored()).toEqual([]);
  });

  test("is not possible with a key", async () => {
    const key = await makeKey(world, ada);
    expect((await remove(key.id, key.api_key)).status).toBe(403);
    expect((await world.call(path, { method: "DELETE", as: key.api_key })).status).toBe(403);
    expect(await list(key.api_key)).toHaveLength(1);
  });

  test("goes with the account", async () => {
    const key = await makeKey(world, ada);
    await world.call(`/api/v1/users/${ada.id}`, { method: "DELETE", as: await world.admin() });
    expect(await status(key.api_key)).toBe(401);
    expect(await stored()).toEqual([]);
  });
});

describe("the peer's single key", () => {
  test("is the newest one, its secret shown once", async () => {
    expect((await world.call(path, { as: ada })).status).toBe(404);
    await makeKey(world, ada, "older");
    const key = await makeKey(world, ada, "newer");
    const { body } = await world.call(path, { as: ada });
    expect(body).toEqual({
      id: key.id,
      name: "newer",
      api_key: null,
      hint: key.api_key.slice(-4),
      allowed_endpoints: null,
      created_at: key.created_at,
      expires_at: null,
      last_used_at: null,
    });
  });

  test("is gone after its deletion, and nothing comes in its place", async () => {
    const keys = [await makeKey(world, ada), await makeKey(world, ada)];
    const bobs = await makeKey(world, await world.person());
    expect((await world.call(path, { method: "DELETE", as: ada })).body).toBe(true);
    expect((await world.call(path, { method: "DELETE", as: ada })).body).toBe(false);
    expect((await world.call(path, { as: ada })).status).toBe(404);
    for (const key of keys) expect(await status(key.api_key)).toBe(401);
    expect(await status(bobs.api_key)).toBe(200);
    expect((await world.db.select().from(auditEvents)).filter((row) => row.action === "api_key.deleted")).toHaveLength(
      2,
    );
  });
});
