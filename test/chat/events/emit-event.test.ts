import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { emitEvent } from "../../../src/chat/events/emit-event.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";

let world: World;
let ada: Person;
let chatId: string;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  world.live.published.length = 0;
  const { body } = await world.call<ChatResponse>("/api/v1/chats/new", {
    as: ada,
    json: {
      chat: {
        history: {
          messages: { q: { role: "user", content: "Hi" }, a: { role: "assistant", content: "Hello", parentId: "q" } },
        },
      },
    },
  });
  chatId = body.id;
});

const emit = (type: string, data: unknown, messageId: string | undefined = "a") =>
  emitEvent(contextFor(world, ada), { chatId, messageId }, { type, data });
const read = async () => (await world.call<ChatResponse>(`/api/v1/chats/${chatId}`, { as: ada })).body;
const message = async () => (await read()).chat.history.messages["a"]!;

describe("text", () => {
  it("is added to the message", async () => {
    await emit("message", { content: " you" });
    expect(await message()).toMatchObject({ content: "Hello you" });
  });
});
