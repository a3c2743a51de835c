import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRouters } from "../../src/compose/routes.ts";
import { bodyLimits } from "../../src/http/body-limits.ts";
import { smallBody } from "../../src/http/body.ts";
import { declaredRoutes } from "../../src/http/route-table.ts";
import { createWorld, type Person, type World } from "../world.ts";

let world: World;
let admin: Person;
let person: Person;
beforeAll(async () => {
  // What is switched off is refused before its body is looked at.
  world = await createWorld({
    environment: {
      ENABLE_DIRECT_CONNECTIONS: "true",
      PLUGIN_PACKAGE_REGISTRIES: "https://registry.example/simple/",
      // Nothing is searched, made or spoken without a provider: then callers are refused before.
      ENABLE_WEB_SEARCH: "true",
      WEB_SEARCH_ENGINE: "tavily",
      TAVILY_API_KEY: "key",
      ENABLE_IMAGE_GENERATION: "true",
      IMAGE_GENERATION_CONNECTION: "c",
      IMAGE_GENERATION_MODEL: "m",
      AUDIO_TTS_ENGINE: "openai",
      AUDIO_TTS_CONNECTION: "c",
    },
  });
  admin = await world.admin();
  person = await world.person();
});
afterAll(() => world.close());

/** Objects without members: three bytes each, and hundreds when they are parsed. */
const manyValues = (count: number) => `{"messages":[${"{},".repeat(count)}{}]}`;
const tooMany = {
  small: manyValues(bodyLimits.MAX_JSON_VALUES),
  large: manyValues(bodyLimits.MAX_LARGE_JSON_VALUES),
};

/** Closed as long as API keys are off, or reads something else: files, parts of files, an export while it arrives. */
const readsNoJson = new Set([
  "POST /api/v1/auths/api_key",
  "POST /api/v1/users/:id/api_keys",
  "POST /api/v1/users/:id/api_keys/:key_id/rotate",
  "POST /api/v1/chats/import/file",
  "PUT /api/v1/files/uploads/:id/parts/:number",
  "PUT /api/v1/imports/:id/files/:file_id",
  "POST /api/v1/audio/transcriptions",
  "POST /api/audio/transcriptions",
  "POST /api/v1/files",
  "POST /api/v1/files/",
  "POST /api/v1/plugins/packages",
  "POST /api/v1/plugins/packages/bundle",
  "POST /api/v1/knowledge/import",
]);
const routes = declaredRoutes(createRouters()).filter(
  ({ method, path, policy }) =>
    ["POST", "PUT", "PATCH"].includes(method) && policy.access === "approved" && !readsNoJson.has(`${method} ${path}`),
);

describe("a body of many small values", () => {
  test.each(routes.map(({ method, path, policy }) => [method, path, policy] as const))(
    "is refused by %s %s before it is parsed",
    async (method, pattern, { maxBody, gate }) => {
      const path = pattern.replaceAll(/:[^/]+(\{[^}]*\})?/g, "x").replace("*", "x");
      const headers = { "content-type": "application/json" };
      const body = maxBody > smallBody ? tooMany.large : tooMany.small;
      const { status } = await world.request(path, { method, headers, body, ...(gate ? {} : { as: admin }) });
      expect(status).toBe(gate ? 401 : 413);
    },
  );

  test("is refused by a sign-in and a channel's webhook with fewer values", async () => {
    for (const path of ["/api/v1/auths/signin", "/api/v1/channels/webhooks/x/y"])
      expect([path, (await world.call(path, { method: "POST", body: manyValues(5000) })).status]).toEqual([
        path,
        path.endsWith("signin") ? 413 : 401,
      ]);
  });

  test("is told about in the dialect of the route", async () => {
    const said = async (path: string) =>
      (await world.call(path, { as: person, body: tooMany.large, method: "POST" })).body;
    const text = `The body has too many values: the limit is ${bodyLimits.MAX_LARGE_JSON_VALUES}`;
    expect(await said("/api/chat/completions")).toMatchObject({ error: { message: text, code: "payload_too_large" } });
    expect(await said("/api/v1/messages")).toMatchObject({ type: "error", error: { message: text } });
    expect(await said("/ollama/api/chat")).toMatchObject({ error: text });
    expect(await said("/api/v1/chats/new")).toMatchObject({ status: 413, detail: text });
  });
});

test("who sends large bodies without a pause is asked to wait, and nobody else", async () => {
  const [busy, other] = [await world.person(), await world.person()];
  const body = JSON.stringify({ chat: { title: "Long", values: Array.from({ length: 190_000 }, () => 1) } });
  const save = (as: Person) => world.request("/api/v1/chats/new", { as, body, method: "POST" });
  const answers = [await save(busy), await save(busy), await save(busy), await save(busy)];
  expect(answers.map(({ status }) => status)).toContain(429);
  expect(Number(answers.find(({ status }) => status === 429)!.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await save(other)).status).toBe(200);
});

test("a large invalid body costs more than a valid one", async () => {
  const busy = await world.person();
  const send = (role: string) => {
    const messages = Array.from({ length: 10_000 }, () => ({ role, content: "x" }));
    return world.request("/api/v1/messages", {
      as: busy,
      body: JSON.stringify({ model: "none", messages, max_tokens: 1 }),
      method: "POST",
    });
  };
  for (let n = 0; n < 3; n++) expect((await send("user")).status).toBe(404);
  for (let n = 0; n < 3; n++) await send("nobody");
  expect((await send("user")).status).toBe(429);
});
