import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAnswer } from "../../../src/chat/conversations/start-answer.ts";
import { finishAnswer } from "../../../src/chat/conversations/write-answer.ts";
import { historyOf } from "../../../src/chat/tools/tool-history.ts";
import type { ToolItem } from "../../../src/chat/tools/tool-item.ts";
import type { Context } from "../../../src/context.ts";
import { newId } from "../../../src/lib/id.ts";
import { messageItems } from "../../../src/stored-chats/tables.ts";
import { createWorld, type World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";
import { loadPath } from "../conversations/load-path.ts";
import { whole } from "../conversations/whole.ts";

let world: World;
let ctx: Context;
beforeAll(async () => {
  world = await createWorld();
  ctx = contextFor(world, await world.person());
});
afterAll(() => world.close());

const item = (more: Partial<ToolItem>): ToolItem => ({
  call_id: newId(),
  name: "weather",
  title: "Weather",
  source: null,
  arguments: '{"city":"Oslo"}',
  state: "done",
  result: "sunny",
  at: 0,
  round: 0,
  started_at: 0,
  ...more,
});

const ids = () => {
  let count = 0;
  return () => `id${(count += 1)}`;
};

describe("an answer that called tools", () => {
  it("is told as it was said: texts, calls and results in order", () => {
    const content = "Let me look.\n\nAnd again.\n\nSunny.";
    const history = historyOf(
      content,
      [
        item({ at: 12 }),
        item({ at: 12, arguments: '{"city":"Rome"}', state: "error", error: "No such city" }),
        item({ at: 24, round: 1, result: "" }),
      ],
      ids(),
    );
    const call = (id: string, args: string) => ({
      id,
      type: "function",
      function: { name: "weather", arguments: args },
    });
    expect(history).toEqual([
      {
        role: "assistant",
        content: "Let me look.",
        tool_calls: [call("id1", '{"city":"Oslo"}'), call("id2", '{"city":"Rome"}')],
      },
      { role: "tool", tool_call_id: "id1", content: "sunny" },
      { role: "tool", tool_call_id: "id2", content: "Error: No such city" },
      { role: "assistant", content: "And again.", tool_calls: [call("id3", '{"city":"Oslo"}')] },
      { role: "tool", tool_call_id: "id3", content: "(The tool returned no result)" },
      { role: "assistant", content: "Sunny." },
    ]);
  });

  it("is told in a form that every provider takes, whatever the model wrote", () => {
    const history = historyOf(
      "",
      [item({ name: "no name!", arguments: '{"broken', state: "running" }), item({ name: "", arguments: "" })],
      ids(),
    );
    expect(history).toMatchObject([
      {
        content: null,
        tool_calls: [
          { function: { name: "no_name_", arguments: "{}" } },
          { function: { name: "unknown", arguments: "{}" } },
        ],
      },
      { content: "Error: The call was cancelled before it had a result" },
      { content: "sunny" },
    ]);
  });

  it("keeps a valid order and all of the text, wherever its calls are said to have been", () => {
    const calls = fc.array(
      fc.record({ at: fc.integer({ min: -5, max: 40 }), round: fc.integer({ min: 0, max: 3 }) }).map(item),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 30, unit: "binary" }), calls, (content, items) => {
        const history = historyOf(content, items, ids());
        const open = new Set<string>();
        let text = "";
        for (const message of history) {
          const isAnswered = message.role === "tool" ? open.delete(message.tool_call_id!) : open.size === 0;
          expect(isAnswered).toBe(true);
          if (message.role === "tool") continue;
          for (const { id } of message.tool_calls ?? []) open.add(id);
          text += message.content ?? "";
          expect((message.content ?? "").isWellFormed()).toBe(true);
        }
        expect(open.size).toBe(0);
        expect(history.flatMap((message) => message.tool_calls ?? [])).toHaveLength(items.length);
        expect(text.replaceAll(/\s/g, "")).toBe(content.replaceAll(/\s/g, ""));
      }),
    );
  });
});

describe("the branch for a model", () => {
  const put = (chatId: string, messageId: string, data: ToolItem) =>
    world.db
      .insert(messageItems)
      .values({ chatId, messageId, kind: "tool", name: data.call_id, data: { ...data }, createdAt: 0 });

  async function answered(parentId: string | null, chatId: string | undefined, text: string) {
    const messageId = newId();
    const runId = newId();
    const question = { id: newId(), content: `Before ${text}` };
    const started = await startAnswer(ctx, { chatId, messageId, runId, model: "m", question, parentId, mode: "start" });
    const place = { chatId: started.chatId, messageId, runId };
    await finishAnswer(world.services, place, { state: "stopped" }, whole(text));
    return { ...place, started };
  }

  it("holds the calls of its own answers only, with ids that differ", async () => {
    const first = await answered(null, undefined, "One");
    await put(first.chatId, first.messageId, item({ at: 3, call_id: "call_0" }));
    const left = await answered(first.messageId, first.chatId, "Left");
    await put(left.chatId, left.messageId, item({ at: 0, call_id: "call_0", result: "left" }));
    const right = await answered(first.messageId, first.chatId, "Right");
    await put(right.chatId, right.messageId, item({ at: 0, call_id: "call_0", result: "right" }));
    const path = await loadPath(ctx, right.chatId, right.messageId);
    expect(path.map(({ role, content }) => [role, content])).toEqual([
      ["user", "Before One"],
      ["assistant", "One"],
      ["tool", "sunny"],
      ["user", "Before Right"],
      ["assistant", null],
      ["tool", "right"],
      ["assistant", "Right"],
    ]);
    expect(path.map((message) => message.tool_call_id)).toContain("call00002");
  });

  it("holds those of an answer that goes on, and none of one that is answered anew", async () => {
    const { chatId, messageId } = await answered(null, undefined, "Let me look.");
    await put(chatId, messageId, item({ at: 12, state: "error", error: "The call was cancelled" }));
    const next = await startAnswer(ctx, {
      chatId,
      messageId,
      runId: newId(),
      model: "m",
      parentId: undefined,
      mode: "continue",
    });
    expect(next.history.map(({ role, content }) => [role, content])).toEqual([
      ["user", "Before Let me look."],
      ["assistant", "Let me look."],
      ["tool", "Error: The call was cancelled"],
    ]);
    world.advance(200);
    await startAnswer(ctx, { chatId, messageId, runId: newId(), model: "m", parentId: undefined, mode: "fill" });
    expect((await world.db.select().from(messageItems)).filter((row) => row.messageId === messageId)).toEqual([]);
  });
});
