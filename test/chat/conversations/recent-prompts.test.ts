import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
});

async function store(...texts: string[]): Promise<string> {
  world.advance(1);
  const messages = texts.map((content, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content }));
  const { body } = await world.call<{ id: string }>("/api/v1/chats/new", { as: ada, json: { chat: { messages } } });
  return body.id;
}

const recent = async (as = ada) =>
  (await world.call<{ content: string }[]>("/api/v1/chats/recent-prompts", { as })).body.map(({ content }) => content);

describe("recent prompts", () => {
  it("are the questions that one's own chats began with, the newest first, each once", async () => {
    await store("When is high water?", "At noon.", "And low water?");
    await store("Who are you?");
    await store(" When is high water? ", "At one.");
    expect(await recent()).toEqual(["When is high water?", "Who are you?"]);
    expect(await recent(await world.person())).toEqual([]);
  });

  it("are short, at most six, and not of archived chats", async () => {
    await store("long ".repeat(50));
    await store("   ");
    const archived = await store("Archived");
    await world.call(`/api/v1/chats/${archived}/archive`, { as: ada, method: "POST" });
    for (let index = 0; index < 8; index++) await store(`Question ${index}`);
    expect(await recent()).toEqual([7, 6, 5, 4, 3, 2].map((index) => `Question ${index}`));
  });

  it("take one statement beside the caller's", async () => {
    await store("Hi");
    world.roundTrips.reset();
    await recent();
    expect(world.roundTrips.count).toBe(2);
  });
});
