import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseEnvironment } from "../../../../src/compose/parse-environment.ts";
import { type Person, type World, createWorld, origin } from "../../../world.ts";
import { createKeyWorld, makeKey, transports } from "./key-world.ts";

let world: World;
let ada: Person;
afterEach(() => world.close());

const run = (sql: string, ...args: string[]) => world.client.execute({ sql, args });
const makeOrganization = (id: string) =>
  run("INSERT INTO organizations (id, name, features, created_at, updated_at) VALUES (?, ?, '{}', 0, 0)", id, id);

/** What can have happened to a key and its owner, and what the key is then answered with. */
const states: Record<string, { change(id: string): Promise<unknown>; expected: [status: number, code?: string] }> = {
  "that is valid": { change: async () => undefined, expected: [200] },
  "that is deleted": {
    change: (id) => run("DELETE FROM api_keys WHERE user_id = ?", id),
    expected: [401, "session_ended"],
  },
  "of a deleted account": {
    change: (id) => run("DELETE FROM users WHERE id = ?", id),
    expected: [401, "session_ended"],
  },
  "of somebody switched off": {
    change: (id) => run("UPDATE users SET active = 0 WHERE id = ?", id),
    expected: [401, "account_inactive"],
  },
  "of somebody who waits": {
    change: (id) => run("UPDATE users SET role = 'pending' WHERE id = ?", id),
    expected: [403, "account_pending"],
  },
  "in an organization that is switched off": {
    change: () => run("UPDATE organizations SET active = 0"),
    expected: [403, "organization_inactive"],
  },
  "of somebody who moved to where keys are off": {
    change: async (id) => {
      await makeOrganization("elsewhere");
      await run(`UPDATE organizations SET features = '{"api_keys":false}' WHERE id = 'elsewhere'`);
      await run("UPDATE users SET organization_id = 'elsewhere' WHERE id = ?", id);
    },
    expected: [403, "key_not_allowed"],
  },
  "of somebody who moved": {
    change: async (id) => {
      await makeOrganization("elsewhere");
      await run("UPDATE users SET organization_id = 'elsewhere' WHERE id = ?", id);
    },
    expected: [200],
  },
  "while keys are restricted to another route": {
    change: () =>
      world.client.batch([
        `INSERT INTO settings VALUES ('ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS', 'true', 0)`,
        `INSERT INTO settings VALUES ('API_KEYS_ALLOWED_ENDPOINTS', '"/api/chat/completions"', 0)`,
      ]),
    expected: [401, "endpoint_not_listed"],
  },
  "while keys are restricted, and no route is listed": {
    change: () => run(`INSERT INTO settings VALUES ('ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS', 'true', 0)`),
    expected: [401, "endpoint_not_listed"],
  },
  "while keys are restricted to this route too": {
    change: () =>
      world.client.batch([
        `INSERT INTO settings VALUES ('ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS', 'true', 0)`,
        `INSERT INTO settings VALUES ('API_KEYS_ALLOWED_ENDPOINTS', '"/api/chat/completions, GET /api/v1/users/user/{what}, GET /api/v1/users/groups"', 0)`,
      ]),
    expected: [200],
  },
  "while a list is there but not applied": {
    change: () => run(`INSERT INTO settings VALUES ('API_KEYS_ALLOWED_ENDPOINTS', '"/api/models"', 0)`),
    expected: [200],
  },
};

describe.each([...Object.entries(transports), ["custom header", undefined] as const])(
  "sent as %s",
  (name, transport) => {
    const headersOf = transport ?? ((token: string) => ({ "x-machine-key": token }));
    const ask = async (token: string, path = "/api/v1/users/groups") => {
      const { status, body, headers } = await world.call(path, { headers: headersOf(token) as Record<string, string> });
      expect(headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
      return status === 200 ? [status] : [status, body["code"]];
    };
    beforeEach(async () => {
      world = await createKeyWorld(transport ? {} : { CUSTOM_API_KEY_HEADER: "X-Machine-Key" });
      ada = await world.person();
    });

    test.each(Object.entries(states))("a key %s is answered so", async (_name, { change, expected }) => {
      const { api_key } = await makeKey(world, ada);
      await change(ada.id);
      expect(await ask(api_key)).toEqual(expected);
    });

    test.each(["sk-", "sk-unknown", `sk-${"a".repeat(43)}`, "SK-x", "sk_x", `sk-${"x".repeat(5000)}`, "sk-'--"])(
      "a key like %j is none",
      async (token) => {
        expect(await ask(token)).toEqual([401, "session_ended"]);
      },
    );

    test("the hash of a key is no key", async () => {
      await makeKey(world, ada);
      const { rows } = await run("SELECT hash, id FROM api_keys");
      for (const text of [rows[0]!["hash"], `sk-${String(rows[0]!["hash"])}`, rows[0]!["id"]])
        expect((await ask(String(text)))[0]).toBe(401);
    });

    test("a key loses to nobody's permission but its owner's, asked anew each time", async () => {
      await world.close();
      world = await createWorld({
        environment: { ENABLE_API_KEYS: "true", ...(transport ? {} : { CUSTOM_API_KEY_HEADER: "x-machine-key" }) },
      });
      ada = await world.person();
      const admin = await world.admin();
      const keys = { admin: (await makeKey(world, admin)).api_key, ada: "" };
      await run(`INSERT INTO settings VALUES ('permissions.default', '{"features":{"api_keys":true}}', 0)`);
      keys.ada = (await makeKey(world, ada)).api_key;
      expect(await ask(keys.ada)).toEqual([200]);
      await run("DELETE FROM settings");
      expect(await ask(keys.ada)).toEqual([403, "key_not_allowed"]);
      expect(await ask(keys.admin)).toEqual([200]);
      await run("UPDATE users SET role = 'admin' WHERE id = ?", ada.id);
      expect(await ask(keys.ada)).toEqual([200]);
    });

    test(`${name}: switched off, no key works, not even an administrator's; switched on, they do again`, async () => {
      await world.close();
      world = await createWorld({ environment: transport ? {} : { CUSTOM_API_KEY_HEADER: "x-machine-key" } });
      const admin = await world.admin();
      await run(`INSERT INTO settings VALUES ('ENABLE_API_KEYS', 'true', 0)`);
      const { api_key } = await makeKey(world, admin);
      await run(`UPDATE settings SET value = 'false'`);
      expect(await ask(api_key)).toEqual([403, "key_not_allowed"]);
      await run(`UPDATE settings SET value = 'true'`);
      expect(await ask(api_key)).toEqual([200]);
    });

    test("a session's token is not concerned by any of it", async () => {
      const { change } = states["while keys are restricted, and no route is listed"]!;
      await change(ada.id);
      await run(`INSERT INTO settings VALUES ('ENABLE_API_KEYS', 'false', 0)`);
      expect(await ask(ada.token)).toEqual([200]);
    });
  },
);

describe("headers", () => {
  beforeEach(async () => {
    world = await createKeyWorld();
    ada = await world.person();
  });
  const status = async (headers: Record<string, string>, inWorld = world) =>
    (await inWorld.request("/api/v1/users/groups", { headers })).status;

  test("that are not of the form Bearer <token> are no credential", async () => {
    const { api_key: key } = await makeKey(world, ada);
    for (const authorization of [
      key,
      `Bearer`,
      "Bearer ",
      `Bearer ${key} x`,
      `Bearer: ${key}`,
      `Token ${key}`,
      `Bearer, ${key}`,
    ])
      expect([authorization, await status({ authorization })]).toEqual([authorization, 401]);
    for (const authorization of [`bearer ${key}`, `BEARER   ${key}`, ` Bearer ${key} `])
      expect(await status({ authorization })).toBe(200);
  });

  test("win over a cookie that is stale, and a bad header is not made good by a cookie", async () => {
    const { api_key: key } = await makeKey(world, ada);
    const stale = "token=stale";
    expect(await status({ cookie: stale, "x-api-key": key })).toBe(200);
    expect(await status({ cookie: stale, authorization: `Bearer ${key}` })).toBe(200);
    for (const cookie of [`token=${ada.token}`, `token=${key}`]) {
      expect(await status({ cookie, "x-api-key": "sk-deleted" })).toBe(401);
      expect(await status({ cookie, authorization: "Bearer sk-deleted" })).toBe(401);
      expect(await status({ cookie, authorization: "Bearer" })).toBe(401);
    }
  });

  test("of another name replace x-api-key; both carry tokens of sessions too", async () => {
    const custom = await createKeyWorld({ CUSTOM_API_KEY_HEADER: "X-My-Key" });
    const bob = await custom.person();
    const { api_key: key } = await makeKey(custom, bob);
    for (const token of [key, bob.token]) {
      expect(await status({ "x-my-key": token }, custom)).toBe(200);
      expect(await status({ "X-MY-KEY": token }, custom)).toBe(200);
      expect(await status({ "x-api-key": token }, custom)).toBe(401);
      expect(await status({ authorization: "Basic cHJveHk6cHc=", "x-my-key": token }, custom)).toBe(200);
    }
    // What signs out finds the token there too.
    const signOut = { method: "POST", headers: { "x-my-key": bob.token } };
    expect((await custom.request("/api/v1/auths/signout", signOut)).status).toBe(200);
    expect(await status({ authorization: `Bearer ${bob.token}` }, custom)).toBe(401);
    await custom.close();
  });

  test("a key in a cookie does not write from another site's page", async () => {
    const { api_key } = await makeKey(world, ada);
    const write = (from: string) =>
      world.request("/api/v1/users/user/info/update", {
        json: { a: 1 },
        headers: { cookie: `token=${api_key}`, origin: from },
      });
    expect((await write("https://evil.example")).status).toBe(403);
    expect((await write(origin)).status).toBe(200);
  });

  test.each(["authorization", "Cookie", "host", "content-type", "two words", "naïve", "x:y", "sec-key", " "])(
    "of the name %j cannot be had for it",
    (name) => {
      expect(() => parseEnvironment({ CUSTOM_API_KEY_HEADER: name })).toThrow(/CUSTOM_API_KEY_HEADER/);
    },
  );
});

test("a key without an end works ten years later", async () => {
  world = await createKeyWorld();
  const { api_key } = await makeKey(world, await world.person());
  world.advance(10 * 365 * 86_400);
  expect((await world.request("/api/v1/users/groups", { as: api_key })).status).toBe(200);
});

describe("the last use", () => {
  beforeEach(async () => {
    world = await createKeyWorld();
    ada = await world.person();
  });
  const lastUsed = async () => (await run("SELECT last_used_at FROM api_keys")).rows[0]!["last_used_at"];

  test("is written at most once a minute, however many ask at once", async () => {
    const { api_key } = await makeKey(world, ada);
    await world.settled();
    await run("CREATE TABLE noted (at)");
    await run("CREATE TRIGGER note AFTER UPDATE ON api_keys BEGIN INSERT INTO noted VALUES (new.last_used_at); END");
    const ask = () => world.request("/api/v1/users/groups", { as: api_key });
    await Promise.all(Array.from({ length: 10 }, ask));
    await world.settled();
    const first = await lastUsed();
    expect(Math.abs(Number(first) - world.services.now())).toBeLessThan(30);
    world.advance(29);
    await ask();
    await world.settled();
    expect(await lastUsed()).toBe(first);
    world.advance(60);
    await Promise.all(Array.from({ length: 10 }, ask));
    await world.settled();
    expect((await run("SELECT * FROM noted")).rows).toHaveLength(2);
  });

  test("is not that of a request that was refused", async () => {
    const { api_key } = await makeKey(world, ada);
    await run(`INSERT INTO settings VALUES ('ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS', 'true', 0)`);
    expect((await world.request("/api/v1/users/groups", { as: api_key })).status).toBe(401);
    await world.settled();
    expect(await lastUsed()).toBeNull();
  });
});

test("a request with a key costs one look-up, restricted or not", async () => {
  world = await createKeyWorld({
    ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: "true",
    API_KEYS_ALLOWED_ENDPOINTS: "/api/v1/users/permissions",
  });
  const { api_key } = await makeKey(world, await world.person());
  const ask = () => world.request("/api/v1/users/permissions", { as: api_key });
  await ask();
  await world.settled();
  world.roundTrips.reset();
  expect((await ask()).status).toBe(200);
  expect(world.roundTrips.count).toBe(1);
});
