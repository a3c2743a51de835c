import { expect, test } from "vitest";
import type { TrialResult } from "../../../src/plugins/schema.ts";
import { createWorld } from "../../world.ts";

const source = `export class Tools {
  go(__model__, __metadata__) { return { model: __model__, metadata: __metadata__ }; }
}`;

test("a test run has a model and metadata: those of the model in its body, or ones with the usual fields", async () => {
  const world = await createWorld();
  const as = await world.admin();
  await world.call("/api/v1/tools/create", { as, json: { id: "asking", name: "Asking", content: source } });
  const run = async (args: object) =>
    (await world.call<TrialResult>("/api/v1/tools/id/asking/try", { as, json: { method: "go", args } })).body.value;
  const info = { base_model_id: null, meta: {}, params: {} };
  expect(await run({})).toMatchObject({
    model: { id: "test-model", name: "Test model", info },
    metadata: { user_id: as.id, model: { id: "test-model" }, files: [], features: {} },
  });
  expect(await run({ body: { model: "gone" } })).toMatchObject({ model: { id: "gone" } });
  const pipe = "export class Pipe { pipe() { return ''; } }";
  await world.call("/api/v1/functions/create", { as, json: { id: "house", name: "House", content: pipe } });
  await world.call("/api/v1/functions/id/house/toggle", { as, json: {} });
  expect(await run({ body: { model: "house" } })).toMatchObject({
    model: { id: "house", name: "House", pipe: { type: "pipe" } },
    metadata: { model: { id: "house" } },
  });
  await world.close();
});

test("a tried inlet finds the metadata in its body that chats have there, and its result shows none", async () => {
  const world = await createWorld();
  const as = await world.admin();
  const filter = `export class Filter {
    inlet(body) { return { ...body, told: body.metadata.user_id }; }
  }`;
  await world.call("/api/v1/functions/create", { as, json: { id: "net", name: "Net", content: filter } });
  const run = async (body: object) =>
    (
      await world.call<TrialResult>("/api/v1/functions/id/net/try", {
        as,
        json: { method: "inlet", args: { body } },
      })
    ).body.value;
  expect(await run({ messages: [] })).toEqual({ messages: [], told: as.id });
  expect(await run({ metadata: { user_id: "mine" } })).toEqual({ metadata: { user_id: "mine" }, told: "mine" });
  await world.close();
});

test("a test run reads what its caller may read, and changes nothing", async () => {
  const world = await createWorld();
  const as = await world.admin();
  const reading = `export class Tools { async go(name, __service__) { return __service__.request(name, {}) } }`;
  await world.call("/api/v1/tools/create", { as, json: { id: "reading", name: "Reading", content: reading } });
  const run = async (name: string) => {
    const json = { method: "go", args: { name } };
    return (await world.call<TrialResult>("/api/v1/tools/id/reading/try", { as, json })).body;
  };
  expect(await run("tool.list")).toMatchObject({ ok: true, value: [{ id: "reading" }] });
  expect(await run("chat.list")).toMatchObject({ ok: true, value: [] });
  for (const name of ["file.create", "file.delete", "memory.add", "memory.delete", "web.search", "web.attach"])
    expect(await run(name)).toMatchObject({ error: { message: `${name} is not available in a test run` } });
  await world.close();
});

test("a test run is told the chat, message and session of its body, and reaches none of them", async () => {
  const world = await createWorld();
  const as = await world.admin();
  const telling = `export class Pipe {
    async pipe(body, __chat_id__, __message_id__, __session_id__, __metadata__, __service__) {
      const chat = await __service__.request("chat.get", {}).catch((error) => error.message);
      return [__chat_id__, __message_id__, __session_id__, __metadata__.chat_id, chat];
    }
  }`;
  await world.call("/api/v1/functions/create", { as, json: { id: "telling", name: "Telling", content: telling } });
  const run = async (body: object) => {
    const json = { method: "pipe", args: { body } };
    return (await world.call<TrialResult>("/api/v1/functions/id/telling/try", { as, json })).body.value;
  };
  const refused = expect.stringContaining("id") as string;
  expect(await run({ chat_id: "c", id: "m", session_id: "s" })).toEqual(["c", "m", "s", "c", refused]);
  expect(await run({ chat_id: 5 })).toEqual([null, null, null, null, refused]);
  await world.close();
});

test("models answer in a test run, with what the caller may use; a function that answers shows and asks nothing", async () => {
  const world = await createWorld();
  const as = await world.admin();
  const asking = `export class Tools {
    async go(model, __service__) {
      const answer = await __service__.complete({ model, messages: [{ role: "user", content: "Hello" }] });
      return answer.choices[0].message.content;
    }
  }`;
  const pipe = `export class Pipe {
    async pipe(body, __event_emitter__, __event_call__, __task__) {
      await __event_emitter__({ type: "notification", data: { type: "info", content: "seen" } });
      const said = await __event_call__({ type: "input", data: { title: "", message: "" } }).catch((error) => error.message);
      return __task__ + ": " + said;
    }
  }`;
  await world.call("/api/v1/tools/create", { as, json: { id: "asking", name: "Asking", content: asking } });
  await world.call("/api/v1/functions/create", { as, json: { id: "house", name: "House", content: pipe } });
  await world.call("/api/v1/functions/id/house/toggle", { as, json: {} });
  const run = async (model: string) => {
    const json = { method: "go", args: { model }, answers: ["yes"] };
    return (await world.call<TrialResult>("/api/v1/tools/id/asking/try", { as, json })).body;
  };
  expect(await run("house")).toMatchObject({
    ok: true,
    value: "test_run: This runs in the background: no one can answer questions",
    events: [],
  });
  expect(await run("gone")).toMatchObject({ error: { message: expect.stringContaining("does not exist") as string } });
  await world.close();
});
