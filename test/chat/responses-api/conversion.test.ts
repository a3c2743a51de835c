import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Script, ScriptedReply } from "../../fixtures/upstreams/scripted-upstream.ts";
import { createMessagesWorld, type MessagesWorld } from "../messages-api/messages-world.ts";

type Json = Record<string, unknown>;

interface Answered {
  id: string;
  status: string;
  output: (Json & { type: string })[];
  usage: Json;
  error: { message: string; code: string; param: string | null };
  tools: Json[];
  incomplete_details: Json | null;
}

let world: MessagesWorld;
let reply: ScriptedReply;
const chat: Script = () => reply;
beforeAll(async () => {
  world = await createMessagesWorld({ chat });
});
afterAll(() => world.close());
beforeEach(() => {
  world.upstream.requests.length = 0;
  reply = { content: "From pier 3.", tokens: [11, 7] };
});

const ask = (body: Json) =>
  world.call<Answered>("/api/v1/responses", { as: world.ada, json: { model: "chat", store: false, ...body } });
const sent = () => world.upstream.requests.at(-1)!;
/** The messages that the model is given. */
async function converted(input: unknown, more: Json = {}): Promise<unknown> {
  const { status, body } = await ask({ input, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return sent().messages;
}
const user = (...content: Json[]) => ({ role: "user", content });
const text = (said: string) => ({ type: "input_text", text: said });
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "get_pier", arguments: '{"ferry":"Möwe"}' };
const called = { id: "call_1", type: "function", function: { name: "get_pier", arguments: '{"ferry":"Möwe"}' } };
const pier = { type: "function", name: "get_pier", parameters: { type: "object", properties: { ferry: {} } } };
const pixel = "data:image/png;base64,iVBORw0KGgo=";

describe("the input", () => {
  test("is a text, or messages of every role; instructions come first", async () => {
    expect(await converted("Hello", { instructions: "Be brief." })).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ]);
    const input = [
      { role: "developer", content: "In German." },
      { type: "message", role: "user", content: [text("Hello"), text("there")] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi", annotations: [] }] },
      { role: "user", content: "So?" },
    ];
    expect(await converted(input)).toEqual([
      { role: "system", content: "In German." },
      { role: "user", content: "Hello\n\nthere" },
      { role: "assistant", content: "Hi" },
      { role: "user", content: "So?" },
    ]);
  });

  test("has calls and results, with what was thought while the turn is open", async () => {
    const thought = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Pier?" }] };
    const said = { role: "assistant", content: [{ type: "output_text", text: "I look." }] };
    const result = { type: "function_call_output", call_id: "call_1", output: "3" };
    expect(await converted([{ role: "user", content: "Where?" }, thought, said, call, result])).toEqual([
      { role: "user", content: "Where?" },
      { role: "assistant", content: "I look.", reasoning_content: "Pier?", tool_calls: [called] },
      { role: "tool", tool_call_id: "call_1", content: "3" },
    ]);
    const later = await converted([thought, call, result, { role: "user", content: "And now?" }]);
    expect(later).toEqual([
      { role: "assistant", content: null, tool_calls: [called] },
      { role: "tool", tool_call_id: "call_1", content: "3" },
      { role: "user", content: "And now?" },
    ]);
  });

  test("has parallel calls in one message, and pictures of results as the user's", async () => {
    const second = { ...call, call_id: "call_2", arguments: "not JSON" };
    const shown = {
      type: "function_call_output",
      call_id: "call_1",
      output: [text("See"), { type: "input_image", image_url: pixel }],
    };
    const other = { type: "function_call_output", call_id: "call_2", output: "none" };
    expect(await converted([{ role: "user", content: "?" }, call, second, other, shown])).toEqual([
      { role: "user", content: "?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [called, { ...called, id: "call_2", function: { name: "get_pier", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "call_2", content: "none" },
      { role: "tool", tool_call_id: "call_1", content: "See\n\n(Pictures of this result follow.)" },
      {
        role: "user",
        content: [
          { type: "text", text: "Pictures of the result of call_1:" },
          { type: "image_url", image_url: { url: pixel } },
        ],
      },
    ]);
  });

  test("has pictures and files, whose text is read", async () => {
    const data = Buffer.from("# Ferries\n\nThe Möwe sails daily.").toString("base64");
    const file = { type: "input_file", filename: "times.md", file_data: `data:text/markdown;base64,${data}` };
    const picture = { type: "input_image", image_url: pixel, detail: "low" };
    expect(await converted([user(text("Look"), picture, file)])).toEqual([
      user(
        { type: "text", text: "Look" },
        { type: "image_url", image_url: { url: pixel, detail: "low" } },
        { type: "text", text: expect.stringMatching(/^<document title="times.md">[^]*The Möwe sails daily/) as string },
      ),
    ]);
  });

  test.each<[string, Json, number, string | null]>([
    ["nothing", {}, 422, "input"],
    ["an empty text", { input: "" }, 422, "input"],
    ["an unknown part", { input: [user({ type: "video" })] }, 400, "input.0.content.0"],
    ["an unknown item", { input: [{ type: "computer_call", id: "x" }] }, 400, "input.0"],
    ["a result of nothing", { input: [{ type: "function_call_output", output: "x" }] }, 400, "input.0.call_id"],
    ["a picture of nothing", { input: [user({ type: "input_image" })] }, 400, "input.0.content.0"],
    [
      "an inner address",
      { input: [user({ type: "input_file", file_url: "http://127.0.0.1:1/a.pdf" })] },
      400,
      "input.0.content.0",
    ],
    ["the background", { input: "x", background: true }, 400, "background"],
    ["a conversation", { input: "x", conversation: "conv_1" }, 400, "conversation"],
    ["a stored prompt", { input: "x", prompt: { id: "p" } }, 400, "prompt"],
    ["a tool of OpenAI's", { input: "x", tools: [{ type: "file_search" }] }, 400, "tools.0"],
    [
      "a choice of such a tool",
      { input: "x", tools: [pier], tool_choice: { type: "file_search" } },
      400,
      "tool_choice",
    ],
    ["a wrong type", { input: 5 }, 422, "input"],
    ["a previous one that is none", { input: "x", previous_response_id: "5" }, 422, "previous_response_id"],
    ["a temperature too high", { input: "x", temperature: 3 }, 422, "temperature"],
  ])("%s is refused, and the model is not asked", async (_, body, status, param) => {
    const answer = await ask(body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.body.error).toMatchObject({ param, message: expect.any(String) as string });
    expect(world.upstream.requests).toEqual([]);
  });

  test("an unknown model, a stranger, broken JSON and too much of it, each in the dialect", async () => {
    expect(await ask({ model: "nope", input: "x" })).toMatchObject({
      status: 404,
      body: { error: { code: "model_not_found" } },
    });
    const stranger = await world.call<Answered>("/api/responses", { json: { model: "chat", input: "x" } });
    expect(stranger).toMatchObject({ status: 401, body: { error: { type: "authentication_error" } } });
    const post = (body: string) => world.call<Answered>("/api/responses", { method: "POST", as: world.ada, body });
    expect(await post("{")).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error" } } });
    expect((await post(JSON.stringify({ model: "chat", input: "x".repeat(33_000_000) }))).status).toBe(413);
  });
});

describe("what is asked for", () => {
  test("has the names of chat completions", async () => {
    const schema = { type: "object", properties: {}, additionalProperties: false };
    await ask({
      input: "Hello",
      max_output_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: "low", summary: "auto" },
      text: { format: { type: "json_schema", name: "place", schema, strict: true }, verbosity: "low" },
      parallel_tool_calls: false,
      include: ["message.output_text.logprobs"],
      top_logprobs: 2,
      metadata: { a: "b" },
      user: "ada",
      tools: [pier, { type: "web_search" }],
      tool_choice: "required",
      unknown: 1,
    });
    const { messages: _, ...asked } = sent();
    expect(asked).toEqual({
      model: "chat",
      stream: false,
      max_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "place", schema, strict: true } },
      verbosity: "low",
      parallel_tool_calls: false,
      logprobs: true,
      top_logprobs: 2,
      user: "ada",
      tools: [{ type: "function", function: { name: "get_pier", parameters: pier.parameters } }],
      tool_choice: "required",
    });
  });

  test.each<[unknown, Json]>([
    ["auto", { tool_choice: "auto" }],
    [{ type: "function", name: "get_pier" }, { tool_choice: { type: "function", function: { name: "get_pier" } } }],
    [
      { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "get_pier" }] },
      { tool_choice: "required", tools: [{ function: { name: "get_pier" } }] },
    ],
  ])("the choice %j", async (choice, expected) => {
    await ask({ input: "x", tools: [pier, { ...pier, name: "other" }], tool_choice: choice });
    expect(sent()).toMatchObject(expected);
    expect(sent().tools).toHaveLength(expected["tools"] ? 1 : 2);
  });

  test("tools that no model here has are left out, and the answer says which were offered", async () => {
    const { body } = await ask({ input: "x", tools: [{ type: "web_search_preview" }, pier] });
    expect(body.tools).toEqual([pier]);
  });
});

describe("what comes back", () => {
  test("thoughts, words and calls as items, with tokens and what was asked for", async () => {
    reply = {
      reasoning: "Which pier?",
      content: "I look it up.",
      calls: [{ name: "get_pier", arguments: { ferry: "Möwe" } }],
      tokens: [11, 7],
    };
    const { status, body } = await ask({
      input: "Where?",
      tools: [pier],
      metadata: { trip: "1" },
      instructions: "Be brief.",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "response",
      status: "completed",
      error: null,
      model: "chat",
      store: false,
      metadata: { trip: "1" },
      instructions: "Be brief.",
      output: [
        { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Which pier?" }] },
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "I look it up.", annotations: [] }],
        },
        { type: "function_call", name: "get_pier", status: "completed" },
      ],
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
    });
    expect(JSON.parse(String(body.output[2]!["arguments"]))).toEqual({ ferry: "Möwe" });
    const summed = await ask({ input: "Where?", tools: [pier], reasoning: { summary: "auto" } });
    expect(summed.body.output[0]).toMatchObject({ summary: [{ type: "summary_text", text: "Which pier?" }] });
    expect(summed.body.output[0]).not.toHaveProperty("content");
  });

  test("calls of tools with free text, and of tools within a namespace", async () => {
    reply = {
      calls: [
        { name: "apply_patch", arguments: { input: "*** Begin\n+“x”" } },
        { name: "harbour__get_pier", arguments: { ferry: "Möwe" } },
      ],
    };
    const grammar = { type: "grammar", syntax: "lark", definition: "start: /.+/" };
    const tools = [
      { type: "custom", name: "apply_patch", description: "Patches", format: grammar },
      { type: "namespace", name: "harbour", description: "", tools: [pier] },
    ];
    const { body } = await ask({ input: "Patch", tools });
    expect(sent().tools).toMatchObject([
      { function: { name: "apply_patch", description: expect.stringContaining("start: /.+/") as string } },
      { function: { name: "harbour__get_pier" } },
    ]);
    expect(body.output).toMatchObject([
      { type: "custom_tool_call", name: "apply_patch", input: "*** Begin\n+“x”" },
      { type: "function_call", name: "get_pier", namespace: "harbour" },
    ]);
    const results = [
      { type: "custom_tool_call_output", call_id: body.output[0]!["call_id"], output: "done" },
      { type: "function_call_output", call_id: body.output[1]!["call_id"], output: "3" },
    ];
    const messages = (await converted([{ role: "user", content: "Patch" }, ...body.output, ...results], {
      tools,
    })) as Json[];
    expect(messages[1]).toMatchObject({
      tool_calls: [
        { function: { name: "apply_patch", arguments: JSON.stringify({ input: "*** Begin\n+“x”" }) } },
        { function: { name: "harbour__get_pier" } },
      ],
    });
    expect(messages.slice(2)).toMatchObject([{ content: "done" }, { content: "3" }]);
  });

  test("a provider's failure with its status, code and when to come again", async () => {
    const error = { message: "Slow down", type: "requests", code: "rate_limit_exceeded", param: null };
    reply = { refusal: { status: 429, error, headers: { "retry-after": "900" } } };
    const { status, headers, body } = await ask({ input: "x" });
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("900");
    expect(body.error).toMatchObject({ message: "Slow down", code: "rate_limit_exceeded" });
  });
});
