import { describe, expect, test } from "vitest";
import { toMessagesRequest } from "../../../../src/models/drivers/messages-native/to-messages-request.ts";
import { UpstreamError } from "../../../../src/upstream/errors/upstream-error.ts";

type Json = Record<string, unknown>;

const hello = [{ role: "user", content: "Hello" }];
const said = [{ role: "user", content: [{ type: "text", text: "Hello" }] }];
const convert = (body: Json, model = "claude-sonnet-4-5-20250929") =>
  toMessagesRequest({ messages: hello, ...body }, model);
const messagesOf = (messages: Json[]) => convert({ messages })["messages"];
const weather = {
  name: "get_weather",
  description: "Tells it",
  parameters: { type: "object", properties: { city: {} } },
};
const tools = [{ type: "function", function: weather }];
const called = {
  role: "assistant",
  content: null,
  tool_calls: [
    { id: "call:1", type: "function", function: { name: "get_weather", arguments: '{"city":"Zürich"}' } },
    { id: "call_2", type: "function", function: { name: "get_weather", arguments: "" } },
  ],
};

describe("messages", () => {
  test("system messages stand apart, wherever they were", () => {
    const request = convert({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hello" },
        { role: "developer", content: [{ type: "text", text: "In German.", cache_control: { type: "ephemeral" } }] },
      ],
    });
    expect(request["system"]).toEqual([
      { type: "text", text: "Be brief." },
      { type: "text", text: "In German.", cache_control: { type: "ephemeral" } },
    ]);
    expect(request["messages"]).toEqual(said);
  });

  test("what follows under one role is one message, and empty texts are left out", () => {
    const messages = messagesOf([
      { role: "user", content: "One" },
      {
        role: "user",
        content: [
          { type: "text", text: "" },
          { type: "text", text: "Two" },
        ],
      },
      { role: "assistant", content: "" },
      { role: "user", content: "Three" },
    ]);
    expect(messages).toEqual([
      { role: "user", content: ["One", "Two", "Three"].map((text) => ({ type: "text", text })) },
    ]);
  });

  test("calls and their results are blocks, with ids that the dialect takes; all results are in one message", () => {
    const messages = messagesOf([
      ...hello,
      called,
      { role: "tool", tool_call_id: "call:1", content: "Rain" },
      { role: "tool", tool_call_id: "call_2", content: [{ type: "text", text: "Sun" }], is_error: true },
      { role: "user", content: "So?" },
    ]);
    expect(messages).toEqual([
      ...said,
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Zürich" } },
          { type: "tool_use", id: "call_2", name: "get_weather", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1", content: [{ type: "text", text: "Rain" }] },
          { type: "tool_result", tool_use_id: "call_2", content: [{ type: "text", text: "Sun" }], is_error: true },
          { type: "text", text: "So?" },
        ],
      },
    ]);
  });

  test("thoughts go back whole and first, but only those that their provider has marked", () => {
    const thoughts = [
      { type: "thinking", thinking: "Hm", signature: "c2ln" },
      { type: "thinking", thinking: "Unmarked", signature: "" },
      { type: "redacted_thinking", data: "eA==" },
    ];
    const [, answer] = messagesOf([
      ...hello,
      { ...called, content: "I look.", reasoning_content: "Hm", thinking_blocks: thoughts },
      { role: "tool", tool_call_id: "call:1", content: "Rain" },
    ]) as { content: Json[] }[];
    expect(answer!.content.slice(0, 3)).toEqual([thoughts[0], thoughts[2], { type: "text", text: "I look." }]);
  });

  test("pictures and files are blocks, whatever way they come", () => {
    const content = [
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0=", detail: "low" } },
      { type: "image_url", image_url: { url: "https://pictures.example/a.png" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
      { type: "file", file: { filename: "a.txt", file_data: `data:text/plain;base64,${btoa("Pier 3")}` } },
      { type: "document", source: { type: "url", url: "https://papers.example/a.pdf" } },
    ];
    expect(messagesOf([{ role: "user", content }])).toEqual([
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0=" } },
          { type: "image", source: { type: "url", url: "https://pictures.example/a.png" } },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
            title: "a.pdf",
          },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "Pier 3" }, title: "a.txt" },
          content[4],
        ],
      },
    ]);
  });

  test.each([
    [{ messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "", format: "mp3" } }] }] }],
    [{ messages: [{ role: "user", content: [{ type: "file", file: { file_id: "file-1" } }] }] }],
    [{ n: 2 }],
  ])("%j is refused, not left out", (body) => {
    expect(() => convert(body)).toThrow(UpstreamError);
    expect(() => convert(body)).toThrow(expect.objectContaining({ status: 400, code: "unsupported_value" }));
  });

  test("an answer to go on with does not end in white space", () => {
    expect(messagesOf([...hello, { role: "assistant", content: "Once \n" }])).toEqual([
      ...said,
      { role: "assistant", content: [{ type: "text", text: "Once" }] },
    ]);
    expect(messagesOf([...hello, { role: "assistant", content: " " }])).toEqual(said);
  });
});

describe("tools", () => {
  test("are named with their schema; those of the provider itself go on as they are", () => {
    const search = { type: "web_search_20250305", name: "web_search", max_uses: 2 };
    const plain = { type: "function", function: { name: "now" } };
    expect(convert({ tools: [...tools, search, plain] })["tools"]).toEqual([
      { name: "get_weather", description: "Tells it", input_schema: weather.parameters },
      search,
      { name: "now", input_schema: { type: "object", properties: {} } },
    ]);
  });

  test.each<[unknown, boolean | undefined, unknown]>([
    ["auto", undefined, { type: "auto" }],
    ["required", false, { type: "any", disable_parallel_tool_use: true }],
    ["none", false, { type: "none" }],
    [{ type: "function", function: { name: "get_weather" } }, undefined, { type: "tool", name: "get_weather" }],
    [undefined, false, { type: "auto", disable_parallel_tool_use: true }],
    [undefined, true, undefined],
  ])("the choice %j, parallel %j, is %j", (choice, parallel, expected) => {
    expect(convert({ tools, tool_choice: choice, parallel_tool_calls: parallel })["tool_choice"]).toEqual(expected);
  });

  test("only those that are allowed are named, and a choice without tools is none", () => {
    const choice = {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "get_weather" } }] },
    };
    const more = [...tools, { type: "function", function: { name: "now" } }];
    const request = convert({ tools: more, tool_choice: choice });
    expect(request["tools"]).toHaveLength(1);
    expect(request["tool_choice"]).toEqual({ type: "any" });
    expect(convert({ tools: [], tool_choice: "none" })).not.toHaveProperty("tool_choice");
  });
});

describe("parameters", () => {
  test("have the dialect's names, and those that it does not know are left out", () => {
    expect(
      convert({
        max_completion_tokens: 50,
        max_tokens: 90,
        temperature: 1.7,
        stop: ["END", " "],
        user: "ada",
        service_tier: "default",
        top_k: 5,
        stream: true,
        stream_options: { include_usage: true },
        seed: 1,
        frequency_penalty: 1,
        logprobs: true,
        reasoning: { effort: "high" },
      }),
    ).toEqual({
      max_tokens: 50,
      messages: said,
      temperature: 1,
      stop_sequences: ["END"],
      metadata: { user_id: "ada" },
      service_tier: "standard_only",
      top_k: 5,
      stream: true,
    });
  });

  test.each([
    ["claude-3-haiku-20240307", 4096],
    ["claude-3-5-sonnet-20241022", 8192],
    ["claude-3-7-sonnet-latest", 32_000],
    ["eu.anthropic.claude-sonnet-4-20250514-v1:0", 32_000],
    ["claude-opus-4-6", 32_000],
    ["kimi-k2", 8192],
  ])("a limit is made for %s, which wants one: %i", (model, most) => {
    expect(convert({}, model)["max_tokens"]).toBe(most);
  });

  test.each([
    ["claude-3-5-sonnet-20241022", { temperature: 0.5, top_p: 0.9 }],
    ["claude-sonnet-4-5", { temperature: 0.5 }],
    ["claude-opus-4-7", {}],
    ["claude-next", {}],
    ["kimi-k2", { temperature: 0.5, top_p: 0.9 }],
  ])("%s is told of sampling what it takes: %j", (model, expected) => {
    const { temperature, top_p: topP } = convert({ temperature: 0.5, top_p: 0.9 }, model);
    expect({ temperature, top_p: topP }).toEqual({ temperature: undefined, top_p: undefined, ...expected });
  });

  test("a schema is the output's where the model can be held to one, and told where it cannot", () => {
    const schema = { type: "object", properties: { city: { type: "string" } } };
    const format = { type: "json_schema", json_schema: { name: "place", schema, strict: true } };
    expect(convert({ response_format: format })["output_config"]).toEqual({ format: { type: "json_schema", schema } });
    const told = convert({ response_format: format }, "claude-3-5-haiku-20241022");
    expect(told).not.toHaveProperty("output_config");
    expect(JSON.stringify(told["system"])).toContain(JSON.stringify(JSON.stringify(schema)).slice(1, -1));
    expect(JSON.stringify(convert({ response_format: { type: "json_object" } })["system"])).toContain("JSON object");
  });
});

describe("thinking", () => {
  const budget = (tokens: number) => ({ type: "enabled", budget_tokens: tokens });

  test("an effort is a budget within the limit, or an effort where the model decides itself; sampling goes", () => {
    const request = convert({ reasoning_effort: "medium", temperature: 0.2 });
    expect(request).toMatchObject({ thinking: budget(8192), max_tokens: 32_000 });
    expect(request).not.toHaveProperty("temperature");
    expect(convert({ reasoning_effort: "high", max_tokens: 4096 })).toMatchObject({ thinking: budget(3072) });
    expect(convert({ reasoning_effort: "high", max_tokens: 1500 })).not.toHaveProperty("thinking");
    expect(convert({ reasoning_effort: "none" })).toMatchObject({ thinking: { type: "disabled" } });
    expect(convert({ reasoning_effort: "minimal" }, "claude-opus-4-6")).toMatchObject({
      thinking: { type: "adaptive" },
      output_config: { effort: "low" },
    });
  });

  test("the caller's own words win", () => {
    const own = { type: "enabled", budget_tokens: 2000 };
    expect(convert({ thinking: own, reasoning_effort: "high" })["thinking"]).toEqual(own);
  });

  test("is not asked for where it cannot be had: a forced tool, a beginning to go on with, results without the thoughts before them", () => {
    const thinks = (body: Json) => "thinking" in convert({ reasoning_effort: "low", tools, ...body });
    const result = { role: "tool", tool_call_id: "call:1", content: "Rain" };
    expect(thinks({})).toBe(true);
    expect(thinks({ tool_choice: "required" })).toBe(false);
    expect(thinks({ messages: [...hello, { role: "assistant", content: "Once" }] })).toBe(false);
    expect(thinks({ messages: [...hello, called, result] })).toBe(false);
    const thoughts = [{ type: "thinking", thinking: "Hm", signature: "c2ln" }];
    expect(thinks({ messages: [...hello, { ...called, thinking_blocks: thoughts }, result] })).toBe(true);
    // Another turn has begun.
    expect(thinks({ messages: [...hello, called, result, { role: "assistant", content: "Rain." }, ...hello] })).toBe(
      true,
    );
  });
});
