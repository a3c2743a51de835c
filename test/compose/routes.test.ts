import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { createApp } from "../../src/app.ts";
import { createRouters } from "../../src/compose/routes.ts";
import { declaredRoutes, joinRouters } from "../../src/http/route-table.ts";
import { createRouter, defineRoute, type Router } from "../../src/http/routes.ts";
import { createWorld, type World } from "../world.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const patterns = new Set(declaredRoutes(createRouters()).map(({ path }) => path));
/** Values of parameters that are also fixed segments somewhere. */
const words = [
  "1",
  "list",
  "search",
  "base",
  "tags",
  "all",
  "shared",
  "calls",
  "webhooks",
  "tools",
  "users",
  "default",
];
const paths = [
  ...new Set(
    [...patterns].flatMap((pattern) =>
      words.map((word) => pattern.replaceAll(/:[^/]+/g, word).replace("*", "some/thing")),
    ),
  ),
];

/** Which pattern answers each of the paths with each method. */
function answering(routers: Router[]): Record<string, string | undefined> {
  const app = createApp(routers);
  return Object.fromEntries(
    paths.flatMap((path) =>
      methods.map((method) => {
        const [handlers] = app.router.match(method, path);
        const routes = handlers.map(([[, route]]) => route);
        return [`${method} ${path}`, routes.find((route) => route.method !== "ALL")?.path];
      }),
    ),
  );
}

/** The same order for the same seed. */
function shuffled<T>(values: readonly T[], seed: number): T[] {
  let state = seed;
  const keyed = values.map((value) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return { value, key: state };
  });
  return keyed.toSorted((one, other) => one.key - other.key).map(({ value }) => value);
}

describe("the order of mounting", () => {
  const expected = answering(createRouters());

  test.each([
    ["reversed", createRouters().toReversed()],
    ["shuffled", shuffled(createRouters(), 1)],
    ["shuffled otherwise", shuffled(createRouters(), 2)],
  ])("decides nothing: %s", (_, routers) => {
    expect(answering(routers)).toEqual(expected);
  });

  test("every declared route answers a path", () => {
    const reached = new Set(Object.entries(expected).map(([asked, path]) => `${asked.split(" ")[0]} ${path}`));
    const names = declaredRoutes(createRouters()).map(({ method, path }) => `${method} ${path}`);
    expect(names.filter((name) => !reached.has(name))).toEqual([]);
  });

  test.each([
    ["GET /api/v1/models/list", "/api/v1/models/list"],
    ["GET /api/v1/chats/calls", "/api/v1/chats/calls"],
    ["GET /oauth/tools/callback", "/oauth/tools/callback"],
    ["GET /oauth/1/callback", "/oauth/:provider/callback"],
    ["POST /api/v1/channels/webhooks/1/1", "/api/v1/channels/webhooks/:id/:token"],
    ["GET /ollama/api/tags", "/ollama/api/tags"],
  ])("%s is answered by %s", (asked, path) => {
    expect(expected[asked]).toBe(path);
  });
});

describe("a route", () => {
  const route = (path: string) =>
    defineRoute({
      method: "get",
      path,
      responses: { 200: { description: "It", content: { "text/plain": { schema: z.string() } } } },
    });
  const routerOf = (...paths: string[]) => {
    const router = createRouter();
    for (const path of paths) router.raw(route(path), (c) => c.text(path));
    return router;
  };

  test("cannot be declared twice", () => {
    expect(() => routerOf("/a", "/a")).toThrow("GET /a is declared twice");
    expect(() => joinRouters([routerOf("/a"), routerOf("/a")])).toThrow("GET /a is declared twice");
  });

  test("cannot hide behind another name for its parameter", () => {
    expect(() => joinRouters([routerOf("/a/{id}"), routerOf("/a/{name}")])).toThrow("answer the same paths");
  });

  test("cannot be mounted without a policy", () => {
    const router = createRouter();
    router.get("/open", (c) => c.text("open"));
    expect(() => joinRouters([router])).toThrow("GET /open has no policy");
  });

  test("has the policy that it says, then its router's, then that of the router around it", () => {
    const inner = createRouter({ maxBody: 2 });
    inner.raw({ ...route("/a"), maxBody: 1 }, (c) => c.text("a"));
    inner.raw(route("/b"), (c) => c.text("b"));
    const outer = createRouter({ maxBody: 3, readsBody: true }).include(inner);
    outer.raw(route("/c"), (c) => c.text("c"));
    const policies = declaredRoutes([outer]).map(({ path, policy }) => [
      path,
      policy.maxBody,
      policy.readsBody,
      policy.access,
    ]);
    expect(policies).toEqual([
      ["/a", 1, true, "approved"],
      ["/b", 2, true, "approved"],
      ["/c", 3, true, "approved"],
    ]);
  });
});

describe("what is unknown below the paths that a router owns", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const openAi = { error: { code: "not_found", type: "not_found_error" } };
  const messages = { type: "error", error: { type: "not_found_error" } };
  const problem = { title: "Not found", code: "not_found" };

  test.each([
    ["GET", "/api/chat/completions", openAi],
    ["PUT", "/api/v1/chat/completions", openAi],
    ["GET", "/api/chat/completed", openAi],
    ["GET", "/api/v1/embeddings", openAi],
    ["GET", "/api/responses/1/2/3", openAi],
    ["PUT", "/api/v1/responses", openAi],
    ["PATCH", "/api/models", openAi],
    ["GET", "/openai", openAi],
    ["GET", "/openai/nothing", openAi],
    ["GET", "/api/message", messages],
    ["GET", "/api/messages/nothing", messages],
    ["GET", "/api/v1/messages/nothing", messages],
    ["GET", "/api/v1/models/1/2/3", problem],
    ["GET", "/api/v1/scim/v3", problem],
    ["GET", "/openais", problem],
  ])("%s %s is 404 in its dialect", async (method, path, body) => {
    const answer = await world.call(path, { method });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject(body);
  });

  test("is 404 for the Messages API's clients in their dialect where they look for models", async () => {
    const headers = { "anthropic-version": "2023-06-01" };
    const { status, body } = await world.call("/api/v1/models/1/2/3", { headers });
    expect(status).toBe(404);
    expect(body).toMatchObject(messages);
  });

  test.each([
    ["/api/v1/scim/v2", { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: "401" }],
    ["/api/v1/scim/v2/Nothing", { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: "401" }],
    ["/localmodel", { error: "Sign in first" }],
    ["/ollama/v1/nothing", { error: { type: "authentication_error", code: "not_signed_in" } }],
    ["/localmodel/1/v1/messages/nothing", { type: "error", error: { type: "authentication_error" } }],
  ])("%s asks strangers in its dialect to show who they are", async (path, body) => {
    const answer = await world.call(path);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject(body);
  });
});
