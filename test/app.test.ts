import type { Client } from "@libsql/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRouters } from "../src/compose/routes.ts";
import { createDatabase } from "../src/db/client.ts";
import { declaredRoutes } from "../src/http/route-table.ts";
import { createWorld, type World } from "./world.ts";

const routes = declaredRoutes(createRouters());

/** The path with something in each parameter's place. */
const pathOf = (pattern: string) => pattern.replaceAll(/:[^/]+(\{[^}]*\})?/g, "0192d3a0-0000-7000-8000-000000000000");

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.admin();
});
afterAll(() => world.close());

describe("every route", () => {
  const closed = routes.filter(({ policy }) => policy.access !== "bare" && policy.access !== "public");

  test.each(closed.map((route) => [route.method, route.path]))(
    "%s %s answers a stranger 401, whatever the body",
    async (method, path) => {
      const body =
        method === "GET" || method === "HEAD"
          ? {}
          : { body: "{ this is not JSON", headers: { "content-type": "application/json" } };
      const response = await world.request(pathOf(path), { method, ...body });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
    },
  );

  const approved = closed.filter(({ policy }) => policy.access === "approved" && policy.gate === undefined);
  test.each(approved.map((route) => [route.method, route.path]))(
    "%s %s answers a person who waits 403",
    async (method, path) => {
      const waiting = await world.person({ role: "pending" });
      const response = await world.request(pathOf(path), {
        method,
        as: waiting,
        ...(method === "GET" || method === "HEAD" ? {} : { json: {} }),
      });
      expect(response.status).toBe(403);
    },
  );

  test.each(closed.filter(({ policy }) => policy.gate !== undefined).map((route) => [route.method, route.path]))(
    "%s %s is the identity provider's: an administrator's token is none there",
    async (method, path) => {
      const init = { method, as: await world.admin(), ...(method === "GET" ? {} : { json: {} }) };
      const response = await world.request(pathOf(path), init);
      expect(response.status).toBe(401);
    },
  );

  test("only these are open to strangers and to people who wait for approval", () => {
    const openTo = (...access: string[]) =>
      routes
        .filter(({ policy }) => access.includes(policy.access))
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted();
    // `/metrics` asks for a token of its own (test/metrics/metrics.test.ts).
    expect(openTo("bare")).toEqual(["GET /api/version", "GET /health", "GET /health/db", "GET /metrics", "GET /ready"]);
    expect(openTo("public")).toEqual([
      "GET /api/config",
      "GET /oauth/:provider/callback",
      "GET /oauth/:provider/login",
      "GET /oauth/:provider/login/callback",
      "GET /oauth/tools/callback",
      "POST /api/v1/auths/password/forgotten",
      "POST /api/v1/auths/password/look",
      "POST /api/v1/auths/password/reset",
      "POST /api/v1/auths/signin",
      "POST /api/v1/auths/signin/passkey",
      "POST /api/v1/auths/signin/passkey/start",
      "POST /api/v1/auths/signin/second_factor",
      "POST /api/v1/auths/signout",
      "POST /api/v1/auths/signup",
      "POST /api/v1/channels/webhooks/:id/:token",
      "POST /api/v1/channels/webhooks/:id/:token/github",
      "POST /api/v1/channels/webhooks/:id/:token/slack",
      "POST /api/v1/invitations/accept",
      "POST /api/v1/invitations/look",
      "POST /api/v1/invitations/sso",
      "POST /oauth/backchannel-logout",
    ]);
    expect(openTo("session")).toEqual([
      "DELETE /api/v1/auths/sessions",
      "DELETE /api/v1/auths/sessions/:id",
      "GET /api/v1/auths/",
      "GET /api/v1/auths/admin/details",
      "GET /api/v1/auths/second_factor",
      "GET /api/v1/auths/sessions",
      "GET /api/v1/auths/sign-ins",
      "GET /api/v1/events",
      "GET /api/v1/events/stream",
      "POST /api/v1/auths/passkeys",
      "POST /api/v1/auths/passkeys/start",
      "POST /api/v1/auths/second_factor/confirm",
      "POST /api/v1/auths/second_factor/start",
      "POST /api/v1/events/frames",
    ]);
  });
});

describe("what is nowhere", () => {
  test.each(["/api/nothing", "/api/v1/nothing", "/api/scim/v2/Users", "/scim/v2/Users"])(
    "%s is 404 in JSON, for strangers too",
    async (path) => {
      const response = await world.request(path);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toContain("json");
    },
  );

  test.each(["/localmodel/nothing", "/ollama/api/nothing", "/localmodel/1/v1/nothing"])(
    "only a runtime knows whether %s is: strangers are asked to sign in",
    async (path) => {
      const { status, headers, body } = await world.call<{ error: unknown }>(path);
      expect([status, headers.get("content-type")]).toEqual([401, "application/json"]);
      expect(body.error).toBeDefined();
    },
  );

  test("a request id comes with every answer, and in the body of an error", async () => {
    const { headers, body } = await world.call<{ request_id: string; detail: string }>("/api/nothing");
    expect(body.request_id).toBe(headers.get("x-request-id"));
    expect(typeof body.detail).toBe("string");
  });
});

describe("the documentation", () => {
  test("is not there unless ENV is dev", async () => {
    expect((await world.request("/openapi.json")).status).toBe(404);
    expect((await world.request("/docs")).status).toBe(404);
  });

  test("names every route with ENV=dev", async () => {
    const dev = await createWorld({ environment: { ENV: "dev" } });
    const { status, body } = await dev.call<{ paths: Record<string, Record<string, unknown>> }>("/openapi.json");
    expect(status).toBe(200);
    const documented = new Set(
      Object.entries(body.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{([^}]+)\}/g, ":$1")}`),
      ),
    );
    const undocumented = routes.map((route) => `${route.method} ${route.path}`).filter((name) => !documented.has(name));
    expect(undocumented).toEqual([]);
    expect((await dev.request("/docs")).headers.get("content-type")).toContain("text/html");
    await dev.close();
  });
});

describe("bodies", () => {
  test("broken UTF-8, broken JSON and too much of it are refused before anything happens", async () => {
    const post = (body: BodyInit) =>
      world.request("/api/v1/auths/signin", { method: "POST", body, headers: { "content-type": "application/json" } });
    expect((await post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]))).status).toBe(400);
    expect((await post("{")).status).toBe(400);
    expect((await post(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).status).toBe(400);
    expect((await post(`{"email": "${"x".repeat(1_100_000)}"}`)).status).toBe(413);
  });

  test("a body that is too large is taken to its end, so that its sender sees the answer", async () => {
    let pulled = 0;
    const pieces = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pulled++ < 50) controller.enqueue(new Uint8Array(100_000));
        else controller.close();
      },
    });
    const headers = { "content-type": "application/json", "content-length": "5000000" };
    const init = { method: "POST", body: pieces, headers, duplex: "half" };
    expect((await world.request("/api/v1/auths/signin", init)).status).toBe(413);
    expect(pulled).toBeGreaterThan(50);
  });
});

test("a write that the database stopped is answered 503 in the form of its route", async () => {
  const fail = () => Promise.reject(new Error("WRITE_TIMEOUT: stopped after 5000 ms"));
  const db = createDatabase({ execute: fail, batch: fail } as unknown as Client);
  const { token } = await world.person();
  const request = new Request("http://parley.test/api/v1/chats/new", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ chat: { title: "Kept" } }),
  });
  const response = await world.app.fetch(request, { ...world.services, db });
  expect(response.status).toBe(503);
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  expect(await response.json()).toMatchObject({ code: "write_timeout", detail: expect.stringContaining("too long") });
});
