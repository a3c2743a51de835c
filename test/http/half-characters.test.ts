import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorld, type Person, type World } from "../world.ts";

/** Half of a surrogate pair: JSON can write it, UTF-8 cannot. */
const half = "\ud800";

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
});
afterAll(() => world.close());

test.each<[string, string, unknown]>([
  ["POST", "/api/v1/groups/create", { name: "Crew", description: half }],
  ["POST", "/api/v1/groups/create", { name: "Crew", organization_id: half }],
  ["POST", "/api/v1/organizations", { name: "Harbour", model_ids: [half] }],
  ["PUT", "/api/v1/landing-rules", { rules: [{ kind: "group", value: half, organization_id: "any" }] }],
  ["POST", "/api/v1/auths/update/profile", { bio: `an emoji cut in two: ${half}` }],
  ["POST", "/api/v1/connections", { kind: "openai", base_url: "https://models.example.org/v1", organization_id: half }],
  ["POST", "/api/v1/auths/update/profile", { bio: "fine", [half]: "a name of a field" }],
])("%s %s refuses half a character wherever it stands", async (method, path, json) => {
  const { status, body } = await world.call(path, { as: admin, method, json });
  expect({ status, ...body }).toMatchObject({
    status: 422,
    code: "validation_failed",
    detail: expect.stringMatching(/surrogate/),
  });
});

test("whole characters that are written as escapes pass, and so does what only looks like one", async () => {
  const body = String.raw`{"bio": "\ud83d\ude00 \\ud800"}`;
  const headers = { "content-type": "application/json" };
  const response = await world.request("/api/v1/auths/update/profile", { as: admin, method: "POST", body, headers });
  expect(((await response.json()) as { bio: string }).bio).toBe(String.raw`😀 \ud800`);
});

test("what people wrote is not refused for half a character", async () => {
  const chat = await world.call("/api/v1/chats/new", { as: admin, json: { chat: { title: half } } });
  expect(chat).toMatchObject({ status: 200, body: { title: "\ufffd" } });
  const settings = await world.call("/api/v1/users/user/settings/update", { as: admin, json: { ui: { note: half } } });
  expect(settings).toMatchObject({ status: 200, body: { ui: { note: half } } });
});
