import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cleanTitle } from "../../src/chat/clean-title.ts";
import type { ChatResponse } from "../../src/chat/conversations/schema.ts";
import { writeTitle } from "../../src/chat/title.ts";
import { firstWords } from "../../src/shared/chat-title.ts";
import { answering, hanging, listing, startProvider, type Behaviour, type Provider } from "../models/provider.ts";
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
  world.live.published.length = 0;
});

const models = listing("model-a", "model-for-titles");
const saying =
  (content: string): Behaviour =>
  (request, response) =>
    request.url === "/v1/models"
      ? models(request, response)
      : answering(
          200,
          JSON.stringify({ choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] }),
        )(request, response);

async function named(
  behaviour: Behaviour,
  settings: Record<string, unknown> = {},
  title = "New Chat",
  meanwhile?: (id: string) => Promise<unknown>,
) {
  provider.behave(models);
  const messages = [
    { role: "user", content: "What is a harbour?" },
    { role: "assistant", content: "A place." },
  ];
  const { body } = await world.call<ChatResponse>("/api/v1/chats/new", {
    as: ada,
    json: { chat: { title, messages } },
  });
  const slow: Behaviour = (request, response) => {
    if (request.url === "/v1/models" || !meanwhile) return behaviour(request, response);
    void meanwhile(body.id).then(() => behaviour(request, response));
  };
  provider.behave(slow);
  await writeTitle(contextFor(world, ada, settings), { chatId: body.id, modelId: "model-a", answer: "A place." });
  await world.settled();
  return (await world.call<ChatResponse>(`/api/v1/chats/${body.id}`, { as: ada })).body;
}

const asked = () =>
  provider.bodies
    .filter((body) => body !== "")
    .map((body) => JSON.parse(body) as { model: string; messages: { content: string }[] });

describe("a title", () => {
  it("is written by the chat's model, and the tabs are told", async () => {
    const chat = await named(saying('<think>hm</think> **"Harbours explained."**'));
    expect(chat.title).toBe("Harbours explained");
    expect(asked()).toMatchObject([{ model: "model-a" }]);
    expect(asked()[0]!.messages[0]!.content).toContain("What is a harbour?");
    expect(world.live.published.map(({ event }) => event.data)).toEqual(
      expect.arrayContaining([
        { type: "chat:title", data: { title: "Harbours explained" } },
        { type: "chat:list", data: {} },
      ]),
    );
  });

  it("is written by the model for titles where there is one, and by the chat's where that one is gone", async () => {
    expect((await named(saying("One"), { TASK_MODEL: "model-for-titles" })).title).toBe("One");
    expect((await named(saying("Two"), { TASK_MODEL: "gone" })).title).toBe("Two");
    expect(asked().map(({ model }) => model)).toEqual(["model-for-titles", "model-a"]);
  });

  it.each([
    ["fails", answering(500, "{}")],
    ["says nothing", saying("<think>endless")],
    ["repeats the request", saying("Name the conversation below: at most five words, in the language of the question")],
    ["repeats it in other letters", saying("name the conversation below: at most five words, in the language of the…")],
    ["repeats another part of it", saying("Reply with the name alone: no quotes")],
    ["breaks off", ((_, response) => void response.destroy()) as Behaviour],
  ])("is the first words of the question where the model %s", async (_, behaviour) => {
    const isList: Behaviour = (request, response) =>
      (request.url === "/v1/models" ? models : behaviour)(request, response);
    expect((await named(isList)).title).toBe("What is a harbour?");
  });

  it("is left alone where a person chose it, before or in the meantime, and nobody is asked", async () => {
    expect((await named(hanging, {}, "My harbour")).title).toBe("My harbour");
    expect(asked()).toEqual([]);
    const rename = (id: string) => world.call(`/api/v1/chats/${id}`, { as: ada, json: { chat: { title: "Mine" } } });
    expect((await named(saying("Theirs"), {}, "New Chat", rename)).title).toBe("Mine");
  });
});

describe("what a model says", () => {
  it.each([
    ["Harbours explained", "Harbours explained"],
    ['"Harbours explained."', "Harbours explained"],
    ["**Title:** Harbours", "Harbours"],
    ["# Harbours\n\nThey are places", "Harbours"],
    ["<think>Let me see\n</think>\n\nHarbours", "Harbours"],
    ["<thinking>never ends", undefined],
    ['```json\n{"title": "Harbours 🚢"}\n```', "Harbours 🚢"],
    ["Titel: „Häfen“", "Häfen"],
    ["- Harbours", "Harbours"],
    ["", undefined],
    ["  \n ", undefined],
    ["「港」。", "港"],
    ["Here are the fees:", "Here are the fees"],
    ["a\0b", "a b"],
    ["word ".repeat(50), `${"word ".repeat(15).trim()}…`],
    ["x".repeat(200), `${"x".repeat(79)}…`],
    ["What is 2 * 3 * 4?", "What is 2 * 3 * 4?"],
    ["The ferry at **21:40** and `quay.ts`", "The ferry at 21:40 and quay.ts"],
    ["Why __init__ ** 2 is odd", "Why __init__ ** 2 is odd"],
  ])("becomes a title: %j", (said, title) => {
    expect(cleanTitle(said)).toBe(title);
  });
});

describe("the first words", () => {
  it.each([
    ["Hello", "Hello"],
    ["  \n ", "New Chat"],
    ["## A heading\n\nand text", "A heading and text"],
    ["x".repeat(100), `${"x".repeat(59)}…`],
    ["😀".repeat(100), `${"😀".repeat(59)}…`],
  ])("of %j", (text, title) => {
    expect(firstWords(text)).toBe(title);
  });
});
