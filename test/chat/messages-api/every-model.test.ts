import { afterAll, beforeAll, expect, test } from "vitest";
import { startFakeRuntime, type FakeRuntime } from "../../local-models/fake-runtime.ts";
import { install } from "../functions/install.ts";
import { createMessagesWorld, type Message, type MessagesWorld } from "./messages-world.ts";

let world: MessagesWorld;
let runtime: FakeRuntime;
beforeAll(async () => {
  world = await createMessagesWorld({ chat: () => ({ content: "From pier 3." }) });
  runtime = await startFakeRuntime(["tiny:latest"]);
  const connection = { kind: "local", name: "Runtime", base_url: runtime.origin };
  const admin = await world.admin();
  await world.call("/api/v1/connections", { as: admin, json: connection });
  await install(world, { id: "pier", source: `export class Pipe { pipe() { return "From a function." } }` });
  const made = { id: "made", name: "Made", base_model_id: "chat", meta: {}, params: {}, access_grants: null };
  await world.call("/api/v1/models/create", { as: admin, json: made });
});
afterAll(async () => {
  await world.close();
  await runtime.close();
});

test.each([
  ["of an OpenAI-compatible provider", "chat", /^From pier 3\.$/],
  ["of a local runtime", "tiny:latest", /./],
  ["that is a function", "pier", /^From a function\.$/],
  ["that was made on another one", "made", /^From pier 3\.$/],
])("a model %s answers a message", async (_, model, answer) => {
  const as = await world.admin();
  const { status, body } = await world.ask<Message>({ model }, { as });
  expect([status, body.type, body.model]).toEqual([200, "message", model]);
  const text = body.content.map((block) => block.text ?? "").join("");
  expect(text).toMatch(answer);
});
