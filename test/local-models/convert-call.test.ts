import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type Person, type World } from "../world.ts";
import { startFakeRuntime, type FakeRuntime } from "./fake-runtime.ts";
import { words } from "./runtime-words.ts";

let runtime: FakeRuntime;
let world: World;
let ada: Person;
beforeEach(async () => {
  runtime = await startFakeRuntime();
  world = await createWorld({ environment: { LOCALMODEL_BASE_URLS: runtime.origin } });
  ada = await world.person();
});
afterEach(async () => {
  await world.close();
  await runtime.close();
});

const text = words.join("");
const ask = (path: string, json: object) => world.call(`/localmodel${path}`, { as: ada, json });
const responses = { model: "tiny", input: "Hi" };
const messages = { model: "tiny", max_tokens: 100, messages: [{ role: "user", content: "Hi" }] };

describe("the newer APIs", () => {
  test("are the runtime's own where it has them", async () => {
    expect((await ask("/v1/responses", responses)).body).toMatchObject({ from: "runtime", output_text: text });
    expect((await ask("/v1/messages", messages)).body).toMatchObject({ from: "runtime" });
    expect(JSON.parse(runtime.seen.at(-1)!.body.toString())).toEqual(messages);
  });

  test("are made of a chat completion where it does not", async () => {
    runtime.hasNewApis = false;
    const { status, body } = await ask("/v1/responses", responses);
    expect([status, body["object"], body["status"]]).toEqual([200, "response", "completed"]);
    expect(JSON.stringify(body["output"])).toContain(text);
    const message = await ask("/v1/messages", messages);
    expect([message.status, message.body["content"]]).toEqual([200, [expect.objectContaining({ type: "text", text })]]);
    const stream = await world.request("/localmodel/v1/messages", { as: ada, json: { ...messages, stream: true } });
    expect(await stream.text()).toContain("event: message_stop");
    const count = await ask("/v1/messages/count_tokens", messages);
    expect(count.body["input_tokens"]).toBeGreaterThan(0);
  });

  test("are looked for once, not with every call", async () => {
    runtime.hasNewApis = false;
    for (let call = 0; call < 3; call++) await ask("/v1/responses", responses);
    expect(runtime.seen.filter(({ url }) => url === "/v1/responses")).toHaveLength(1);
    runtime.hasNewApis = true;
    world.advance(601);
    expect((await ask("/v1/responses", responses)).body).toMatchObject({ from: "runtime" });
  });

  test("say errors in their own dialects", async () => {
    for (const hasThem of [true, false]) {
      runtime.hasNewApis = hasThem;
      world.advance(601);
      const unknown = await ask("/v1/messages", { ...messages, model: "nothing" });
      expect([unknown.status, unknown.body]).toEqual([404, expect.objectContaining({ type: "error" })]);
      const openAi = await ask("/v1/responses", { ...responses, model: "nothing" });
      expect([openAi.status, openAi.body["error"]]).toEqual([
        404,
        expect.objectContaining({ code: "model_not_found" }),
      ]);
    }
  });
});
