import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatResponse } from "../../src/chat/conversations/schema.ts";
import { generateTags, readTags } from "../../src/chat/generate-tags.ts";
import { answering, listing, startProvider, type Behaviour, type Provider } from "../models/provider.ts";
import { storeConnection } from "../models/store-connection.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { contextFor } from "./conversations/context-for.ts";

let world: World;
let provider: Provider;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
  provider = await startProvider();
  await storeConnection(world, { base_url: `${provider.origin}/v1` });
});
afterAll(async () => {
  await provider.close();
  await world.close();
});
beforeEach(async () => {
  ada = await world.person();
  provider.bodies.length = 0;
});

const models = listing("model-a", "model-for-tasks");
const saying =
  (content: string): Behaviour =>
  (request, response) =>
    request.url === "/v1/models"
      ? models(request, response)
      : answering(
          200,
          JSON.stringify({ choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] }),
        )(request, response);

async function store(tags: string[] = []): Promise<string> {
  const messages = [{ role: "user", content: "What is a harbour?" }];
  const { body } = await world.call<ChatResponse>("/api/v1/chats/new", {
    as: ada,
    json: { chat: { title: "Harbours", messages, tags } },
  });
  return body.id;
}

async function tagsAfter(id: string, behaviour: Behaviour, settings: Record<string, unknown> = {}) {
  provider.behave(behaviour);
  await generateTags(contextFor(world, ada, settings), { chatId: id, modelId: "model-a", answer: "A place." });
  await world.settled();
  return (await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as: ada })).body.chat.tags;
}

const asked = () =>
  provider.bodies
    .filter((body) => body !== "")
    .map((body) => JSON.parse(body) as { model: string; messages: { content: string }[] });

describe("tags", () => {
  it("are chosen by the chat's model, from those of the person where they fit, and the tabs are told", async () => {
    await store(["Ships"]);
    const id = await store();
    world.live.published.length = 0;
    expect(await tagsAfter(id, saying('<think>hm</think> ```json\n{"tags": ["ships", "#Sea"]}\n```'))).toEqual([
      "Sea",
      "Ships",
    ]);
    expect(asked()).toMatchObject([{ model: "model-a" }]);
    expect(asked()[0]!.messages[0]!.content).toMatch(/Ships[\s\S]*What is a harbour\?[\s\S]*A place\./);
    expect(world.live.published.map(({ event }) => event.data)).toEqual([
      { type: "chat:tags", data: ["Sea", "Ships"] },
      { type: "chat:list", data: {} },
    ]);
  });

  it("are chosen by the task model where there is one", async () => {
    const id = await store();
    expect(await tagsAfter(id, saying('{"tags": ["sea"]}'), { TASK_MODEL: "model-for-tasks" })).toEqual(["sea"]);
    expect(asked().map(({ model }) => model)).toEqual(["model-for-tasks"]);
  });

  it("of a person stay alone: chosen before, and nobody is asked; or meanwhile", async () => {
    expect(await tagsAfter(await store(["mine"]), saying('{"tags": ["sea"]}'))).toEqual(["mine"]);
    expect(asked()).toEqual([]);
    const id = await store();
    const slow: Behaviour = (request, response) => {
      const add = world.call(`/api/v1/chats/${id}/tags`, { as: ada, json: { name: "mine" } });
      void add.then(() => saying('{"tags": ["sea"]}')(request, response));
    };
    expect(await tagsAfter(id, slow)).toEqual(["mine"]);
  });

  it.each([
    ["fails", answering(500, "{}")],
    ["says something else", saying("I would tag this as sea.")],
    ["says no tags", saying('{"tags": []}')],
    ["breaks off", ((_, response) => void response.destroy()) as Behaviour],
  ])("are none where the model %s", async (_, behaviour) => {
    const isList: Behaviour = (request, response) =>
      (request.url === "/v1/models" ? models : behaviour)(request, response);
    expect(await tagsAfter(await store(), isList)).toEqual([]);
  });

  it("of another person's chat are not written", async () => {
    const id = await store();
    const bob = await world.person();
    provider.behave(saying('{"tags": ["sea"]}'));
    await generateTags(contextFor(world, bob), { chatId: id, modelId: "model-a", answer: "" });
    expect(asked()).toEqual([]);
  });
});

describe("what a model says", () => {
  it.each([
    ['{"tags": ["Sea", "Ships"]}', ["Sea", "Ships"]],
    ['["Sea"]', ["Sea"]],
    ['Here: {"tags": ["# Sea\\n", "sea", ""]}', ["Sea"]],
    ['{"tags": ["a", "b", "c", "d"]}', ["a", "b", "c"]],
    [`{"tags": ["${"long ".repeat(20)}", "short"]}`, ["short"]],
    ['{"tags": [1, null, {"name": "x"}, "sea"]}', ["sea"]],
    ['{"title": ["Sea"]}', []],
    ['<think>{"tags": ["no"]}</think>', []],
    ["", []],
  ])("%j", (said, tags) => {
    expect(readTags(said)).toEqual(tags);
  });

  it("is always at most three short texts in one line", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(fc.string({ unit: "binary" })).map((tags) => JSON.stringify({ tags })),
        ),
        (said) => {
          const tags = readTags(said);
          expect(tags.length).toBeLessThanOrEqual(3);
          for (const tag of tags) expect(tag).toMatch(/^[^\p{Cc}]{1,40}$/u);
        },
      ),
    );
  });
});
