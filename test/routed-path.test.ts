import { afterAll, beforeAll, expect, test } from "vitest";
import { routedPath } from "../src/routed-path.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test.each([
  ["/openai/models", "/api/v1/models"],
  ["/openai/v1/models", "/api/v1/models"],
  ["/openai/chat/completions", "/api/v1/chat/completions"],
  ["/openai/embeddings/", "/api/v1/embeddings"],
  ["/openai/responses/resp_1/input_items", "/api/v1/responses/resp_1/input_items"],
  ["/openai/config", "/openai/config"],
  ["/openai/models/0", "/openai/models/0"],
  ["/openai/../api/models", "/api/models"],
  ["/api/openai/models", "/api/openai/models"],
  ["/api/v1/files/1/content/tides.txt", "/api/v1/files/1/content"],
  ["/api/v1/files/1/content/html", "/api/v1/files/1/content/html"],
  ["/api/v1/scim/v2//Users/", "/api/v1/scim/v2/Users"],
])("%s is routed as %s", (given, path) => {
  expect(routedPath(new Request(`http://parley.test${given}?a=/b`))).toBe(path);
});

test("below /openai are all models, for those who are signed in", async () => {
  const admin = await world.admin();
  const { body } = await world.call<{ data: { id: string }[] }>("/openai/models", { as: admin });
  expect(body.data.map(({ id }) => id)).toContain("parley-guide");
  const json = { model: "parley-guide", messages: [{ role: "user", content: "hi" }] };
  const answered = await world.call<{ object: string }>("/openai/chat/completions", { as: admin, json });
  expect(answered.body.object).toBe("chat.completion");
  expect((await world.call("/openai/models")).status).toBe(401);
  const nowhere = await world.call<{ error: { code: string } }>("/openai/nothing", { as: admin });
  expect([nowhere.status, nowhere.body.error.code]).toEqual([404, "not_found"]);
});
