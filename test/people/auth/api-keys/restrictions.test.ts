import { afterEach, describe, expect, test } from "vitest";
import { createRouters } from "../../../../src/compose/routes.ts";
import { declaredRoutes } from "../../../../src/http/route-table.ts";
import type { EndpointReport } from "../../../../src/people/auth/api-keys/schema.ts";
import { createWorld, type World } from "../../../world.ts";
import { createKeyWorld, makeKey, transports } from "./key-world.ts";

let world: World;
afterEach(() => world.close());

/** A world whose keys reach only what is listed, and the key of an administrator: everything else is open to it. */
async function restrictedTo(list: string) {
  world = await createKeyWorld({ ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: "true", API_KEYS_ALLOWED_ENDPOINTS: list });
  return (await makeKey(world, await world.admin())).api_key;
}

const pathOf = (pattern: string) => pattern.replaceAll(/:[^/]+(\{[^}]*\})?/g, "0192d3a0-0000-7000-8000-000000000000");

/** Provisioning and commands of the operator take no keys of people at all, and say so in their own words. */
function refusalOf(path: string): RegExp {
  if (path.startsWith("/api/v1/scim/")) return /scim:api:messages/;
  return path.startsWith("/api/v1/operator/") ? /Only a command of the operator/ : /not in the list/;
}

describe("a restricted key", () => {
  test("reaches no route that is not listed, over whatever it is sent", async () => {
    const key = await restrictedTo("/api/v1/nothing");
    const closed = declaredRoutes(createRouters()).filter(
      ({ policy }) => policy.access !== "bare" && policy.access !== "public",
    );
    expect(closed.length).toBeGreaterThan(90);
    for (const { method, path } of closed) {
      for (const headersOf of Object.values(transports)) {
        const headers = { ...headersOf(key), origin: "http://parley.test" };
        const { status, body } = await world.call(pathOf(path), { method, headers });
        expect([method, path, status]).toEqual([method, path, 401]);
        expect(JSON.stringify(body)).toMatch(refusalOf(path));
      }
    }
  });

  test("reaches each route when it is listed by its pattern", async () => {
    const key = await restrictedTo("GET /api/v1/users/{id}/info, /api/v1/chats/*");
    const admin = await world.admin();
    const status = async (path: string, method = "GET") => (await world.request(path, { method, as: key })).status;
    expect(await status(`/api/v1/users/${admin.id}/info`)).toBe(200);
    expect(await status(`/api/v1/users/${admin.id}/info?x=1`)).toBe(200);
    expect(await status(`/api/v1/users/${admin.id}`)).toBe(401);
    expect(await status("/api/v1/chats")).toBe(200);
    expect(await status("/api/v1/chats/")).toBe(200);
    expect(await status("/api/v1/chats/all/tags")).toBe(200);
    expect(await status("/api/v1/chats/nothing")).toBe(404);
  });

  test("may read with HEAD what it may with GET", async () => {
    const key = await restrictedTo("GET /api/models");
    expect((await world.request("/api/models", { method: "HEAD", as: key })).status).toBe(200);
    expect((await world.request("/api/v1/users/groups", { method: "HEAD", as: key })).status).toBe(401);
  });

  test("takes siblings for the same thing", async () => {
    const key = await restrictedTo("/api/v1/models, /api/v1/chat/completions");
    for (const path of ["/api/models", "/api/models/", "/api/v1/models", "/api/v1/models/"])
      expect((await world.request(path, { as: key })).status).toBe(200);
    for (const path of ["/api/chat/completions", "/api/v1/chat/completions"])
      expect((await world.call(path, { as: key, json: {} })).status).toBe(422);
    expect((await world.request("/api/models/base", { as: key })).status).toBe(401);
  });

  test.each([
    "/api/%6dodels",
    "/api/mode%6Cs",
    "/%61pi/models",
    "/api//models",
    "//api/models",
    "/api/models//",
    "/api/models/%2e",
    "/api/models;x",
    "/api/models%00",
    "/api/models%2f",
    "/api/models/..%2fmodels",
    "/api/v1/users/%2e%2e/models",
    "/API/models",
    "/api/models/.%2e/v1/users/groups",
    "/api/models/../v1/users/groups",
    "/api/./models",
    "/api/v1/users/../models",
    "/api/v1/users/groups/../../../models",
    "/api\\models",
    "/api/models%2f..%2fv1%2fusers%2fgroups",
  ])("does not pass with %s, which only looks like the listed one", async (path) => {
    const key = await restrictedTo("/api/models");
    const request = new Request("http://parley.test/", { headers: { authorization: `Bearer ${key}` } });
    // workerd passes the address on as it was sent, while Node's own Request would tidy it up first.
    Object.defineProperty(request, "url", { value: `http://parley.test${path}` });
    const { status } = await world.app.fetch(request, world.services);
    expect([401, 404]).toContain(status);
  });

  test("is refused in the dialect of the route", async () => {
    const key = await restrictedTo("/api/v1/users/groups");
    const completion = await world.call<{ error: { message: string; code: string } }>("/api/chat/completions", {
      as: key,
      json: { model: "m", messages: [] },
    });
    expect(completion.status).toBe(401);
    expect(completion.body.error).toMatchObject({ code: "endpoint_not_listed" });
    const list = await world.call("/api/v1/chats", { as: key });
    expect(list.headers.get("content-type")).toBe("application/problem+json");
    expect(list.body).toMatchObject({ status: 401, code: "endpoint_not_listed" });
  });

  test("opens the socket only when that is listed", async () => {
    const open = async (list: string) => {
      const key = await restrictedTo(list);
      const headers = { authorization: `Bearer ${key}`, upgrade: "websocket" };
      const { status } = await world.request("/api/v1/events", { headers });
      await world.close();
      return status;
    };
    expect(await open("/api/models")).toBe(401);
    // The fake answers where the real one would open it.
    expect(await open("GET /api/v1/events")).toBe(426);
    world = await createKeyWorld();
  });

  test("is as good as none where none is needed", async () => {
    const key = await restrictedTo("/api/models");
    const config = async (as?: string) =>
      (await world.call<{ permissions?: unknown }>("/api/config", as ? { as } : {})).body.permissions;
    expect(await config(key)).toBeUndefined();
    expect((await world.request("/health", { as: key })).status).toBe(200);
    const listed = await restrictedTo("/api/config");
    expect(await config(listed)).toBeDefined();
  });

  test("follows the list as it is now, and the old names of its variables", async () => {
    world = await createKeyWorld({ ENABLE_API_KEY_ENDPOINT_RESTRICTIONS: "true" });
    const admin = await world.admin();
    const { api_key } = await makeKey(world, admin);
    const status = async () => (await world.request("/api/v1/users/groups", { as: api_key })).status;
    const setList = (list: string) =>
      world.call("/api/v1/auths/admin/config", { as: admin, json: { API_KEYS_ALLOWED_ENDPOINTS: list } });
    expect(await status()).toBe(401);
    expect((await setList("/api/v1/users/groups")).status).toBe(200);
    expect(await status()).toBe(200);
    await setList("");
    expect(await status()).toBe(401);
    await world.close();
    world = await createKeyWorld({
      ENABLE_API_KEY_ENDPOINT_RESTRICTIONS: "true",
      API_KEY_ALLOWED_ENDPOINTS: "/api/models",
    });
    const other = (await makeKey(world, await world.admin())).api_key;
    expect((await world.request("/api/models", { as: other })).status).toBe(200);
    expect((await world.request("/api/v1/users/groups", { as: other })).status).toBe(401);
  });
});

describe("the report", () => {
  const path = "/api/v1/auths/admin/api_keys/endpoints";

  test("shows what each entry means, and typos", async () => {
    await restrictedTo("GET /api/models, /api/chat/completion, /api/v1/audit/*");
    const { body } = await world.call<EndpointReport>(path, { as: await world.admin() });
    expect(body.restricted).toBe(true);
    expect(body.unknown).toEqual(["/api/chat/completion"]);
    expect(body.entries).toEqual([
      {
        entry: "GET /api/models",
        routes: ["GET /api/models", "GET /api/models/", "GET /api/v1/models", "GET /api/v1/models/"],
      },
      { entry: "/api/chat/completion", routes: [] },
      { entry: "/api/v1/audit/*", routes: ["GET /api/v1/audit", "GET /api/v1/audit/export"] },
    ]);
    const declared = declaredRoutes(createRouters()).map(({ method, path }) => `${method} ${path}`);
    // The documentation has routes of its own, which the app adds.
    expect(body.routes).toEqual([...declared, "GET /openapi.json", "GET /docs"]);
    expect(body.routes).toContain("POST /api/chat/completions");
  });

  test("is for administrators", async () => {
    world = await createKeyWorld();
    expect((await world.call(path, { as: await world.person() })).status).toBe(403);
    expect((await world.call(path)).status).toBe(401);
  });
});

describe("USER_PERMISSIONS_FEATURES_API_KEYS", () => {
  const path = "/api/v1/users/default/permissions";
  interface Tree {
    features: { api_keys: boolean };
  }

  test.each([true, false])("fixes the default permission as %s", async (fixed) => {
    world = await createWorld({ environment: { USER_PERMISSIONS_FEATURES_API_KEYS: String(fixed) } });
    const admin = await world.admin();
    expect((await world.call<Tree>(path, { as: admin })).body.features.api_keys).toBe(fixed);
    const set = (tree: object) => world.call<Tree & { code: string }>(path, { as: admin, json: tree });
    expect(await set({ features: { api_keys: !fixed } })).toMatchObject({
      status: 403,
      body: { code: "setting_locked" },
    });
    expect((await set({ features: { api_keys: fixed } })).status).toBe(200);
    expect((await set({ chat: { edit: false } })).body).toMatchObject({
      chat: { edit: false },
      features: { api_keys: fixed },
    });
    const own = await world.call<Tree>("/api/v1/users/permissions", { as: await world.person() });
    expect(own.body.features.api_keys).toBe(fixed);
  });

  test("leaves it to administrators when it is not set, and does not outlive itself", async () => {
    world = await createWorld();
    const admin = await world.admin();
    await world.call(path, { as: admin, json: { features: { api_keys: true } } });
    const own = await world.call<Tree>("/api/v1/users/permissions", { as: await world.person() });
    expect(own.body.features.api_keys).toBe(true);
    const { body } = await world.call<{ settings: { name: string; value: unknown; locked: boolean }[] }>(
      "/api/v1/auths/admin/config/schema",
      { as: admin },
    );
    expect(body.settings.find((setting) => setting.name === "USER_PERMISSIONS_FEATURES_API_KEYS")).toMatchObject({
      value: null,
      locked: true,
    });
  });
});
