import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { createKeyWorld } from "../people/auth/api-keys/key-world.ts";
import type { Person, World } from "../world.ts";
import { startFakeRuntime, type FakeRuntime } from "./fake-runtime.ts";

let runtime: FakeRuntime;
let world: World;
let admin: Person;
beforeEach(async () => {
  runtime = await startFakeRuntime();
  world = await createKeyWorld({ LOCALMODEL_BASE_URLS: runtime.origin });
  admin = await world.admin();
});
afterEach(async () => {
  await world.close();
  await runtime.close();
});

const json = { model: "tiny", prompt: "Hi", stream: false };

describe("keys that are good for some endpoints only", () => {
  const cases: [string, string, string, number][] = [
    ["/localmodel/*", "POST", "/localmodel/api/generate", 200],
    ["/localmodel/*", "POST", "/ollama/api/generate", 200],
    ["/localmodel/*", "POST", "/localmodel/0/api/generate", 200],
    ["/ollama/*", "POST", "/localmodel/api/generate", 200],
    ["/localmodel/api/generate", "POST", "/localmodel/api/generate", 200],
    ["/localmodel/api/generate", "POST", "/ollama/api/generate", 200],
    ["/localmodel/api/generate", "POST", "/localmodel/api/embed", 401],
    ["/localmodel/api/generate", "POST", "/localmodel/0/api/generate", 401],
    ["/localmodel/api/generate", "POST", "/localmodel/api/gener%61te", 401],
    ["GET /localmodel/*", "POST", "/localmodel/api/generate", 401],
    ["/api/models", "POST", "/localmodel/api/generate", 401],
  ];
  test.each(cases)("%s: %s %s is %s", async (listed, method, path, status) => {
    const { body } = await world.call<{ api_key: string }>("/api/v1/auths/api_key", { as: admin, json: {} });
    await world.call("/api/v1/auths/admin/config", {
      as: admin,
      json: { ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: true, API_KEYS_ALLOWED_ENDPOINTS: listed },
    });
    const answer = await world.call(path, { as: body.api_key, method, body: JSON.stringify(json) });
    expect([answer.status, typeof answer.body["error"] === "string"]).toEqual([status, status === 401]);
  });
});

test("a quota that is used up is 429 in the runtime's dialect, and the runtime is not asked", async () => {
  const ada = await world.person();
  const quota = { scope: "everyone", unit: "requests", period: "day", amount: 1 };
  const made = await world.call("/api/v1/quotas", { as: admin, json: quota });
  expect([made.status, made.body]).toEqual([200, made.body]);
  expect((await world.call("/localmodel/api/generate", { as: ada, json })).status).toBe(200);
  const before = runtime.seen.length;
  const { status, headers, body } = await world.call("/localmodel/api/generate", { as: ada, json });
  expect([status, typeof body["error"], runtime.seen.length]).toEqual([429, "string", before]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  const chat = { model: "tiny", messages: [{ role: "user", content: "Hi" }] };
  const openAi = await world.call("/localmodel/v1/chat/completions", { as: ada, json: chat });
  expect([openAi.status, typeof openAi.body["error"]]).toEqual([429, "object"]);
});

test("a stream ends with a line that says so when its caller loses the model", async () => {
  const ada = await world.person();
  runtime.hold = (line) => (line < 2 ? undefined : new Promise(() => undefined));
  const response = await world.request("/localmodel/api/generate", { as: ada, json: { ...json, stream: true } });
  const decoder = new TextDecoder();
  let text = "";
  let isOff = false;
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true });
    if (isOff || text.split("\n").length < 3) continue;
    isOff = true;
    await expect.poll(() => world.live.followed.length, { timeout: 30_000 }).toBe(1);
    world.live.followed[0]!.refuse(new AppError("model_not_found", "You have no access to tiny any more"));
  }
  const lines = text.trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[2]!)).toEqual({ error: "You have no access to tiny any more" });
  await expect.poll(() => runtime.seen.at(-1)!.left, { timeout: 30_000 }).toBe(true);
});
