import fc from "fast-check";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askWithTools } from "../../../src/chat/tools/ask-with-tools.ts";
import type { Context } from "../../../src/context.ts";
import { checkStream } from "../../grammar/chat-completions.ts";
import { readAll } from "../../upstream/streams.ts";
import { createWorld, type World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";
import { hello } from "./ask.ts";
import { scriptedModel, type ScriptedCall, type ScriptedRound } from "./scripted-model.ts";
import { attach, recordedTurn, say, tool } from "./tool-turn.ts";

let world: World;
let ctx: Context;
beforeAll(async () => {
  world = await createWorld();
  ctx = contextFor(world, await world.person(), { TOOL_CALL_TURNS: 4, TOOL_RESULT_LIMIT: 1000 });
});
afterAll(() => world.close());

const echo = tool("echo", (args) => say(JSON.stringify(args)));
const fails = tool("fails", () => ({ ok: false, message: "It failed" }));
const long = tool("long", () => say("x".repeat(3000)));

const call: fc.Arbitrary<ScriptedCall> = fc.record(
  {
    id: fc.oneof(fc.constantFrom("", "call_0", "call_same_id"), fc.string({ maxLength: 80 })),
    name: fc.oneof(fc.constantFrom("echo", "fails", "long", "nothing", ""), fc.string({ maxLength: 80 })),
    args: fc.oneof(fc.json(), fc.string(), fc.constantFrom("", "{}", '{"a":')),
    index: fc.constantFrom(-1, 0, 1, 2),
  },
  { requiredKeys: [] },
);
const round: fc.Arbitrary<ScriptedRound> = fc.record(
  {
    content: fc.string({ unit: "binary", maxLength: 40 }),
    reasoning: fc.string({ unit: "binary", maxLength: 20 }),
    calls: fc.array(call, { maxLength: 4 }),
    finish: fc.constantFrom("stop", "length", "tool_calls", "content_filter"),
    usage: fc.record({ prompt_tokens: fc.nat(100), completion_tokens: fc.nat(100), total_tokens: fc.nat(200) }),
    pieces: fc.integer({ min: 1, max: 7 }),
  },
  { requiredKeys: [] },
);

interface AskedMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** A history that every provider takes: each call has an id of its own, and its result right behind it. */
function checkMessages(messages: AskedMessage[]): void {
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  for (const { function: made } of calls) {
    expect(made.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(JSON.parse(made.arguments)).toBeTypeOf("object");
  }
  const order = messages.flatMap(({ role, tool_calls: made = [], tool_call_id: id }) =>
    role === "tool" ? [`result ${id}`] : [role, ...made.map((each) => `result ${each.id}`)],
  );
  const expected = messages.flatMap(({ role, tool_calls: made = [] }) =>
    role === "tool"
      ? []
      : [role, ...made.flatMap((each) => [`result ${each.id}`]), ...made.map((each) => `result ${each.id}`)],
  );
  expect(order).toEqual(expected);
  expect(messages.filter(({ role, content }) => role === "tool" && typeof content !== "string")).toEqual([]);
}

test("any rounds come to one answer that is valid, the same streamed and whole, and to requests that are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), fc.boolean(), async (rounds, includeUsage) => {
      const signal = new AbortController().signal;
      const body = { messages: hello, ...(includeUsage ? { stream_options: { include_usage: true } } : {}) };
      const streamed = scriptedModel(rounds);
      const turn = recordedTurn();
      const answer = await askWithTools(
        ctx,
        streamed.model,
        { body, stream: true, signal },
        attach(echo, fails, long),
        turn,
      );
      if (answer.kind !== "stream") throw new Error("expected a stream");
      const bytes = await readAll(answer.body);
      const checked = checkStream(bytes, { usage: includeUsage });
      const reply = await answer.finished;
      expect(reply.error).toBeUndefined();
      expect(reply.toolCalls).toEqual([]);
      expect(checked.content.get(0) ?? "").toBe(reply.content);
      expect(new TextDecoder().decode(bytes)).not.toContain('"tool_calls"');
      for (const asked of streamed.asked) checkMessages(asked["messages"] as AskedMessage[]);
      expect(streamed.asked.length).toBeLessThanOrEqual(5);
      // Each call is shown as begun and as over, once.
      const states = turn.items.map((item) => `${item.call_id} ${item.state === "running" ? "begun" : "over"}`);
      expect(new Set(states).size).toBe(states.length);
      expect(states.filter((state) => state.endsWith("begun"))).toHaveLength(states.length / 2);

      const sdk = new OpenAI({
        apiKey: "x",
        baseURL: "http://x.test",
        fetch: async () =>
          new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": "text/event-stream" } }),
      });
      const final = await sdk.chat.completions.stream({ model: "m", messages: [] }).finalChatCompletion();
      expect(final.choices[0]!.message.content ?? "").toBe(reply.content);

      const whole = scriptedModel(rounds);
      const document = await askWithTools(
        ctx,
        whole.model,
        { body: { messages: hello }, stream: false, signal },
        attach(echo, fails, long),
        recordedTurn(),
      );
      const { content, reasoning, finishReason, usage } = reply;
      expect(document.kind === "json" && document.reply).toMatchObject({ content, reasoning, finishReason });
      expect(document.kind === "json" && document.reply.usage).toEqual(usage);
      expect(whole.asked).toHaveLength(streamed.asked.length);
    }),
    { numRuns: 80 },
  );
});
