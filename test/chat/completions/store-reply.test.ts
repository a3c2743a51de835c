import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storeReply } from "../../../src/chat/completions/store-reply.ts";
import { startAnswer } from "../../../src/chat/conversations/start-answer.ts";
import { emitEvent } from "../../../src/chat/events/emit-event.ts";
import { replyFromCompletion, type Reply } from "../../../src/upstream/answers/accumulate-reply.ts";
import { createWorld, type World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const reply = (content: string, reasoning = ""): Reply =>
  replyFromCompletion({ choices: [{ message: { content, reasoning_content: reasoning }, finish_reason: "stop" }] });

/** An answer over HTTP that is kept in a chat. */
async function begin() {
  const ctx = contextFor(world, await world.person());
  const place = { messageId: "a", runId: "r" };
  const { chatId } = await startAnswer(ctx, {
    ...place,
    chatId: undefined,
    model: "m",
    parentId: null,
    mode: "start",
    question: { id: "q", content: "Why?" },
  });
  const store = storeReply(ctx, { ...place, chatId }, false);
  const emit = (content: string, type = "message", inside = true) =>
    emitEvent(ctx, { chatId, ...place, text: inside ? store.text : undefined }, { type, data: { content } });
  const stored = async () => {
    await world.settled();
    const { rows } = await world.client.execute({
      sql: "SELECT content, reasoning, state FROM messages WHERE chat_id = ? AND id = 'a'",
      args: [chatId],
    });
    return { ...rows[0] } as unknown as { content: string; reasoning: string; state: string };
  };
  return { store, emit, stored };
}

describe("an answer over HTTP that is kept in a chat", () => {
  it("has what its own functions add, where they add it", async () => {
    const { store, emit, stored } = await begin();
    store.add({ choice: 0, content: "One, ", reasoning: "hm" });
    await emit("[aside] ");
    store.add({ choice: 1, content: "another choice" });
    store.add({ choice: 0, content: "two" });
    store.follow(Promise.resolve(reply("One, two", "hm")));
    expect(await stored()).toEqual({ content: "One, [aside] two", reasoning: "hm", state: "done" });
  });

  it("has what tools add from elsewhere, behind what was said before they were called", async () => {
    const { store, emit, stored } = await begin();
    store.add({ choice: 0, content: "One, " });
    await store.text.settle();
    await emit("[aside] ", "message", false);
    store.add({ choice: 0, content: "two" });
    store.follow(Promise.resolve(reply("One, two")));
    expect((await stored()).content).toBe("One, [aside] two");
  });

  it("goes on from what took its place", async () => {
    const { store, emit, stored } = await begin();
    store.add({ choice: 0, content: "One, " });
    await emit("Three, ", "replace");
    store.add({ choice: 0, content: "four" });
    store.follow(Promise.resolve(reply("One, four")));
    expect((await stored()).content).toBe("Three, four");
  });

  it("has its text also where it came as a whole", async () => {
    const { store, emit, stored } = await begin();
    await emit("[aside] ");
    store.follow(Promise.resolve(reply("All at once", "hm")));
    expect(await stored()).toMatchObject({ content: "[aside] All at once", reasoning: "hm" });
  });

  it("keeps what had come when it fails", async () => {
    const { store, emit, stored } = await begin();
    store.add({ choice: 0, content: "One, " });
    await emit("[aside]");
    store.fail(new Error("away"));
    expect(await stored()).toMatchObject({ content: "One, [aside]", state: "error" });
  });
});
