import { afterAll, beforeAll, expect, it } from "vitest";
import { checkStream } from "../../grammar/chat-completions.ts";
import type { Person, World } from "../../world.ts";
import { install } from "../functions/install.ts";
import { createToolWorld, type ToolWorld } from "./scripted-upstream.ts";

let tools: ToolWorld;
let world: World;
beforeAll(async () => {
  tools = await createToolWorld();
  world = tools.world;
  const { status } = await world.call("/api/v1/tools/create", {
    as: await world.admin(),
    json: {
      id: "sums",
      name: "Sums",
      meta: {},
      content: `export default class Tools {
        /** Adds. */
        add(a: number, b: number): number { return a + b }
      }`,
    },
  });
  if (status !== 200) throw new Error("the tool was not made");
});
afterAll(() => world.close());

const ask = (json: object, as: Person) =>
  world.request("/api/chat/completions", {
    as,
    json: { messages: [{ role: "user", content: "What is 1 + 2?" }], tool_ids: ["sums"], ...json },
  });

/** A function that calls a tool once and then says what it was told. */
const caller = (first: string) => `
export class Pipe {
  async *pipe(body) {
    const results = body.messages.filter((message) => message.role === "tool");
    if (results.length > 0) { yield "It is " + results.map((result) => result.content).join(", "); return; }
    if (!body.tools) { yield "No tools"; return; }
    yield "Wait. ";
    ${first}
  }
}`;

it.each([
  [
    "chunks without ids and indexes",
    `yield { choices: [{ delta: { tool_calls: [{ function: { name: "add", arguments: '{"a":1,"b":2}' } }, { function: { name: "add", arguments: { a: 3, b: 4 } } }] } }] };`,
    "3, 7",
  ],
  [
    "lines of an event stream, the arguments in pieces",
    `yield 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"add","arguments":"{\\\\"a\\\\":1,"}}]}}]}\\n\\n';
     yield 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\\\"b\\\\":2}"}}]},"finish_reason":"tool_calls"}]}\\n\\ndata: [DONE]\\n\\n';`,
    "3",
  ],
  [
    "a call of the older kind",
    `yield { choices: [{ delta: { function_call: { name: "add", arguments: '{"a":1,"b":2}' } } }] };`,
    "3",
  ],
  [
    "a name that there is not",
    `yield { choices: [{ delta: { tool_calls: [{ function: { name: "sub", arguments: "{}" } }] } }] };`,
    'Error: No such tool: "sub". Available tools: add',
  ],
])("tools are called for a function that is the model and says %s", async (_, first, told) => {
  const admin = await world.admin();
  const id = `caller_${crypto.randomUUID().replaceAll("-", "_")}`;
  await install(world, { id, source: caller(first) });
  const whole = (await (await ask({ model: id }, admin)).json()) as { choices: { message: { content: string } }[] };
  expect(whole.choices[0]!.message.content).toBe(`Wait. It is ${told}`);
  const streamed = await ask({ model: id, stream: true }, admin);
  const checked = checkStream(new Uint8Array(await streamed.arrayBuffer()), { usage: false });
  expect(checked.content.get(0)).toBe(`Wait. It is ${told}`);
});

it("filters see the answer of all rounds, and may change it", async () => {
  await install(world, {
    id: "shout",
    source: `export class Filter {
      inlet(body) { body.messages[0].content += " Loud!"; return body }
      stream(event) { for (const choice of event.choices) if (choice.delta?.content) choice.delta.content = choice.delta.content.toUpperCase(); return event }
    }`,
  });
  const { asked } = tools.play(
    { content: "Wait.", calls: [{ name: "add", args: { a: 1, b: 2 } }] },
    { content: "Three.", usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
  );
  const admin = await world.admin();
  const streamed = await ask({ model: "scripted", stream: true }, admin);
  const checked = checkStream(new Uint8Array(await streamed.arrayBuffer()), { usage: false });
  expect(checked.content.get(0)).toBe("WAIT.\n\nTHREE.");
  expect(asked).toHaveLength(2);
  expect(asked[1]!["messages"]).toMatchObject([
    { content: "What is 1 + 2? Loud!" },
    { role: "assistant", tool_calls: [{ function: { name: "add" } }] },
    { role: "tool", content: "3" },
  ]);
});
