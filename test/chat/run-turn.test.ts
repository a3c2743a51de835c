import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AnswerText } from "../../src/chat/answer-text.ts";
import type { ChatResponse } from "../../src/chat/conversations/schema.ts";
import { endEvents } from "../../src/chat/end-events.ts";
import { runTurn, type TurnEnd } from "../../src/chat/run-turn.ts";
import { sweepAnswers } from "../../src/chat/sweep-answers.ts";
import { newId } from "../../src/lib/id.ts";
import { sessions } from "../../src/people/auth/sessions/tables.ts";
import type { RunStart } from "../../src/ports.ts";
import { messages } from "../../src/stored-chats/tables.ts";
import { createWorld, type Person, type World } from "../world.ts";

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  world.live.runs.length = 0;
  world.live.published.length = 0;
});

/** A stored turn that nobody runs yet. */
async function begin(question = "How do I connect a model?"): Promise<RunStart> {
  await world.call("/api/chat/completions", {
    as: ada,
    json: {
      model: "parley-guide",
      session_id: "s",
      id: newId(),
      parent_id: null,
      user_message: { id: newId(), content: question },
    },
  });
  return world.live.runs.at(-1)!;
}

async function run(start: RunStart, abort = new AbortController()) {
  let streamed = "";
  const ends: TurnEnd[] = [];
  await runTurn(
    world.services,
    start,
    new AnswerText(start.continueFrom, {
      delta: ({ content }) => void (streamed += content),
      replaced: (content) => void (streamed = content),
    }),
    { ended: (end) => void ends.push(end) },
    abort,
  );
  await world.settled();
  const chat = (await world.call<ChatResponse>(`/api/v1/chats/${start.chatId}`, { as: ada })).body;
  return { streamed, ends, chat, message: chat.chat.history.messages[start.messageId]! };
}

describe("a run", () => {
  it("streams, stores and ends an answer; a model of the service needs no call for a title", async () => {
    const { streamed, ends, message, chat } = await run(await begin());
    expect(ends).toHaveLength(1);
    expect(ends[0]).toMatchObject({ state: "done", finishReason: "stop" });
    expect(streamed).toBe(ends[0]!.content);
    expect(streamed.length).toBeGreaterThan(20);
    expect(message).toMatchObject({ content: streamed, state: "done", done: true, duration: expect.any(Number) });
    expect(message["finish_reason"]).toBe("stop");
    expect(chat.title).toBe("How do I connect a model?");
  });

  it("ends in an error when the caller's session has ended meanwhile", async () => {
    const start = await begin();
    await world.db.delete(sessions).where(eq(sessions.id, ada.sessionId));
    const ends: TurnEnd[] = [];
    await runTurn(
      world.services,
      start,
      new AnswerText(),
      { ended: (end) => void ends.push(end) },
      new AbortController(),
    );
    expect(ends).toMatchObject([{ state: "error", error: { code: "session_ended" }, content: "", finishReason: null }]);
  });

  it("ends in an error when the model is gone meanwhile", async () => {
    const { message } = await run({ ...(await begin()), model: "gone" });
    expect(message).toMatchObject({ state: "error", error: { code: "model_not_found" } });
  });

  it("ends as stopped when it was stopped before its first word", async () => {
    const abort = new AbortController();
    abort.abort("stopped");
    const { message, ends } = await run(await begin(), abort);
    expect(ends).toMatchObject([{ state: "stopped" }]);
    expect(message.state).toBe("stopped");
    expect(message).not.toHaveProperty("error");
    expect(message).not.toHaveProperty("finish_reason");
  });

  it("does not write into a message that was deleted or taken over", async () => {
    const start = await begin();
    const { message } = await run({ ...start, runId: newId() });
    expect(message).toMatchObject({ content: "", state: "streaming" });
  });

  it("goes on from what there was", async () => {
    const start = await begin();
    const continueFrom = { content: "Before. ", reasoning: "hm" };
    await world.db.update(messages).set(continueFrom).where(eq(messages.id, start.messageId));
    const { streamed, message } = await run({ ...start, continueFrom });
    expect(message).toMatchObject({ content: `Before. ${streamed}`, reasoning: "hm" });
  });

  it("tells the tabs how it ended", () => {
    const end: TurnEnd = {
      content: "x",
      reasoning: "",
      state: "error",
      error: { message: "m", code: "c" },
      finishReason: null,
      extra: { sources: [] },
    };
    expect(endEvents(end)).toEqual([
      { type: "chat:message:error", data: { error: { message: "m", code: "c", content: "m" } } },
      {
        type: "chat:completion",
        data: {
          done: true,
          state: "error",
          content: "x",
          error: { message: "m", code: "c" },
          sources: [],
          finish_reason: null,
        },
      },
      { type: "chat:active", data: { active: false } },
    ]);
  });
});

describe("the sweeper", () => {
  it("ends answers without a run and tells the tabs", async () => {
    const start = await begin();
    expect(await sweepAnswers(world.services)).toBe(0);
    world.advance(130);
    expect(await sweepAnswers(world.services)).toBeGreaterThan(0);
    expect(world.live.published).toContainEqual({
      userId: ada.id,
      event: expect.objectContaining({
        chat_id: start.chatId,
        message_id: start.messageId,
        data: { type: "chat:completion", data: expect.objectContaining({ done: true, state: "interrupted" }) },
      }),
    });
  });
});
