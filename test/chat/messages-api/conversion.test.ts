import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ScriptedReply } from "../../fixtures/upstreams/scripted-upstream.ts";
import { checkMessages } from "../../grammar/messages.ts";
import { createMessagesWorld, type MessagesWorld } from "./messages-world.ts";

let world: MessagesWorld;
let reply: ScriptedReply;
beforeAll(async () => {
  world = await createMessagesWorld({ chat: () => reply });
});
afterAll(() => world.close());
beforeEach(() => {
  reply = { content: "From pier 3." };
  world.upstream.requests.length = 0;
});

const sent = () => world.upstream.requests.at(-1)!;
/** The messages that the model gets for these. */
const converted = async (messages: object[], more: object = {}) => {
  const { status, body } = await world.ask({ model: "chat", messages, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return sent().messages as unknown[];
};
const user = (...content: object[]) => ({ role: "user", content });
const assistant = (...content: object[]) => ({ role: "assistant", content });
const text = (words: string) => ({ type: "text", text: words });
const png = "iVBORw0KGgo=";
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: png } };
const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } };
const call = { type: "tool_use", id: "toolu_1", name: "get_pier", input: { ferry: "Möwe" } };
const called = {
  id: "toolu_1",
  type: "function",
  function: { name: "get_pier", arguments: '{"ferry":"Möwe"}' },
};

describe("what a request becomes", () => {
  test("system blocks are one message, without the line that says whose bill it is", async () => {
    const system = [text("x-anthropic-billing-header: cc_version=2; cch=5f3a;"), text("Be brief."), text("Be kind.")];
    expect(await converted([{ role: "user", content: "Hi" }], { system })).toEqual([
      { role: "system", content: "Be brief.\n\nBe kind." },
      { role: "user", content: "Hi" },
    ]);
  });

  test("pictures stay beside their text", async () => {
    const url = { type: "image", source: { type: "url", url: "https://pictures.example/a.png" } };
    expect(await converted([user(text("What is it?"), image, url)])).toEqual([
      user(text("What is it?"), picture, { type: "image_url", image_url: { url: "https://pictures.example/a.png" } }),
    ]);
  });

  test("documents are read for the model, with their titles", async () => {
    const plain = {
      type: "document",
      title: "Times",
      source: { type: "text", media_type: "text/plain", data: "9:15" },
    };
    const blocks = { type: "document", source: { type: "content", content: [text("Pier 3"), image] } };
    const data = Buffer.from("# Ferries\n\nThe Möwe sails daily.").toString("base64");
    const file = { type: "document", source: { type: "base64", media_type: "text/markdown", data } };
    expect(await converted([user(plain, blocks, file)])).toEqual([
      user(
        text('<document title="Times">\n9:15\n</document>'),
        text("<document>"),
        text("Pier 3"),
        picture,
        text("</document>"),
        text(expect.stringContaining("The Möwe sails daily.") as unknown as string),
      ),
    ]);
  });

  test("a document that cannot be read is refused, and says where it stands", async () => {
    const source = {
      type: "base64",
      media_type: "application/pdf",
      data: Buffer.from("%PDF-1.7\nbroken").toString("base64"),
    };
    const { status, body } = await world.ask({ model: "chat", messages: [user({ type: "document", source })] });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: "invalid_request_error" });
    expect(body.error.message).toMatch(/^messages\.0\.content\.0: this document cannot be read/);
    const inner = { type: "document", source: { type: "url", url: "http://127.0.0.1:1/secret.pdf" } };
    const guarded = await world.ask({ model: "chat", messages: [user(inner)] });
    expect(guarded.status).toBe(400);
    expect(guarded.body.error.message).toContain("not a public address");
  });

  test("calls and results, with what failed and with pictures", async () => {
    const failed = { type: "tool_result", tool_use_id: "toolu_2", is_error: true, content: "No such ferry" };
    const shown = { type: "tool_result", tool_use_id: "toolu_1", content: [text("Pier 3"), image] };
    const messages = [
      { role: "user", content: "Which pier?" },
      assistant(text("I look it up."), call, { ...call, id: "toolu_2", input: {} }),
      user(shown, failed, text("Well?")),
    ];
    expect(await converted(messages)).toEqual([
      { role: "user", content: "Which pier?" },
      {
        role: "assistant",
        content: "I look it up.",
        tool_calls: [called, { ...called, id: "toolu_2", function: { name: "get_pier", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "toolu_1", content: "Pier 3\n\n(Pictures of this result follow.)" },
      { role: "tool", tool_call_id: "toolu_2", content: "Error: No such ferry" },
      user(text("Pictures of the result of toolu_1:"), picture, text("Well?")),
    ]);
  });

  test("what was thought goes along while a turn is open, and never a signature", async () => {
    const thinking = { type: "thinking", thinking: "Pier 3?", signature: "c2lnbmVk" };
    const result = user({ type: "tool_result", tool_use_id: "toolu_1", content: "3" });
    const question = { role: "user", content: "Which pier?" };
    const open = await converted([question, assistant(thinking, call), result]);
    expect(open[1]).toEqual({ role: "assistant", content: null, reasoning_content: "Pier 3?", tool_calls: [called] });
    const closed = await converted([question, assistant(thinking, call), result, assistant(text("3.")), question]);
    expect(closed[1]).toEqual({ role: "assistant", content: null, tool_calls: [called] });
    expect(JSON.stringify(sent())).not.toContain("c2lnbmVk");
  });

  test("turns of one role are one, and texts cut by citations too", async () => {
    const messages = [user(text("One")), user(text("Two")), assistant(text("Piers 1"), text(" and 2."))];
    expect(await converted(messages)).toEqual([
      { role: "user", content: "One\n\nTwo" },
      { role: "assistant", content: "Piers 1 and 2." },
    ]);
  });

  test.each([
    [
      { type: "auto", disable_parallel_tool_use: true },
      { tool_choice: "auto", parallel_tool_calls: false },
    ],
    [{ type: "any" }, { tool_choice: "required" }],
    [{ type: "none" }, { tool_choice: "none" }],
    [{ type: "tool", name: "get_pier" }, { tool_choice: { type: "function", function: { name: "get_pier" } } }],
  ])("tool_choice %j", async (choice, expected) => {
    const schema = { type: "object", properties: { ferry: { type: "string" } } };
    const tools = [
      { name: "get_pier", description: "Finds it", input_schema: schema, cache_control: { type: "ephemeral" } },
    ];
    await world.ask({ model: "chat", tools, tool_choice: choice });
    const fn = { name: "get_pier", description: "Finds it", parameters: schema };
    expect(sent()).toMatchObject({ tools: [{ type: "function", function: fn }], ...expected });
    expect(JSON.stringify(sent())).not.toContain("cache_control");
  });

  test("parameters under their names there; what is of the dialect alone stays here", async () => {
    await world.ask({
      model: "chat",
      temperature: 0.2,
      top_k: 5,
      seed: 7,
      stop_sequences: ["END"],
      metadata: { user_id: "u".repeat(100) },
      service_tier: "standard_only",
      thinking: { type: "enabled", budget_tokens: 2048 },
      context_management: { edits: [] },
      output_config: { effort: "xhigh", format: { type: "json_schema", schema: { type: "object" } } },
    });
    const { messages: _, ...rest } = sent();
    expect(rest).toEqual({
      model: "chat",
      max_tokens: 100,
      temperature: 0.2,
      top_k: 5,
      seed: 7,
      stop: ["END"],
      user: "u".repeat(64),
      service_tier: "default",
      reasoning_effort: "high",
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", schema: { type: "object" }, strict: true },
      },
      stream: false,
    });
  });
});

describe("what does not fit", () => {
  const question = [{ role: "user", content: "Hi" }];
  test.each([
    ["max_tokens", { max_tokens: undefined }],
    ["max_tokens", { max_tokens: 0 }],
    ["max_tokens", { max_tokens: "many" }],
    ["messages", { messages: [] }],
    ["messages", { messages: "Hi" }],
    ["messages.0.role", { messages: [{ role: "tool", content: "Hi" }] }],
    ["messages.0.content", { messages: [{ role: "user", content: 5 }] }],
    ["messages.0.content.0", { messages: [user({ type: "hologram" })] }],
    ["messages.0.content.0.source", { messages: [user({ type: "image", source: { type: "base64" } })] }],
    ["tools.0", { messages: question, tools: [{ type: "web_search_20250305", name: "web_search" }] }],
    ["stream", { messages: question, stream: "yes" }],
  ])("%s", async (path, more) => {
    const { status, body, headers } = await world.ask({ model: "chat", ...more });
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
    expect(body.error.message.startsWith(`${path}: `), body.error.message).toBe(true);
    expect(headers.get("request-id")).toBe(body.request_id);
    expect(world.upstream.requests).toEqual([]);
  });

  test("unknown models, strangers, broken JSON and too much of it, each in the dialect", async () => {
    const unknown = await world.ask({ model: "nobody" });
    expect([unknown.status, unknown.body.error.type]).toEqual([404, "not_found_error"]);
    const stranger = await world.call<{ error: { type: string } }>("/api/v1/messages", { json: { model: "chat" } });
    expect([stranger.status, stranger.body.error.type]).toEqual([401, "authentication_error"]);
    const post = (body: string) =>
      world.call<{ error: { type: string } }>("/api/message", { method: "POST", as: world.ada, body });
    expect(await post("{")).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error" } } });
    const large = JSON.stringify({ model: "chat", messages: [{ role: "user", content: "x".repeat(33_000_000) }] });
    expect(await post(large)).toMatchObject({ status: 413, body: { error: { type: "request_too_large" } } });
    const nowhere = await world.call("/api/v1/messages/batches", { as: world.ada });
    expect(nowhere).toMatchObject({ status: 404, body: { type: "error", error: { type: "not_found_error" } } });
  });
});

describe("what comes back", () => {
  test("thoughts, words and calls as blocks, with tokens", async () => {
    const calls = [{ name: "get_pier", arguments: { ferry: "Möwe" } }];
    reply = { reasoning: "Look it up.", content: "One moment.", calls, tokens: [30, 8] };
    const { body } = await world.ask({ model: "chat" });
    expect(body).toMatchObject({
      type: "message",
      role: "assistant",
      model: "chat",
      content: [
        { type: "thinking", thinking: "Look it up.", signature: "" },
        text("One moment."),
        { type: "tool_use", id: "call_0", name: "get_pier", input: { ferry: "Möwe" } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 30, output_tokens: 8, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
    expect(body.id).toMatch(/^msg_/);
    const plain = await world.ask({ model: "chat", thinking: { type: "disabled" } });
    expect(plain.body.content.map(({ type }) => type)).toEqual(["text", "tool_use"]);
  });

  test("a stop sequence that the provider does not know is kept to here", async () => {
    reply = { content: "One, two, three, four" };
    const { body } = await world.ask({ model: "chat", stop_sequences: [", four", ", three"] });
    expect(body).toMatchObject({ content: [text("One, two")], stop_reason: "stop_sequence", stop_sequence: ", three" });
  });

  test("a refusal of the provider keeps its status, and when to come again", async () => {
    const error = { message: "Slow down", type: "requests", code: "rate_limit_exceeded" };
    reply = { refusal: { status: 429, error, headers: { "retry-after": "7" } } };
    for (const stream of [false, true]) {
      const { status, body, headers } = await world.ask({ model: "chat", stream });
      expect(status).toBe(429);
      expect(body).toMatchObject({ type: "error", error: { type: "rate_limit_error", message: "Slow down" } });
      expect(headers.get("retry-after")).toBe("7");
      expect(headers.get("request-id")).toBe(body.request_id);
    }
  });

  test("a stream, on every path, by Bearer and by key", async () => {
    reply = { reasoning: "Hm.", content: "From pier 3.", tokens: [12, 4] };
    for (const path of ["/api/message", "/api/messages", "/api/v1/messages?beta=true"]) {
      const response = await world.request(path, {
        headers: { "x-api-key": world.ada.token, "anthropic-version": "2023-06-01" },
        json: { model: "chat", max_tokens: 50, stream: true, messages: [{ role: "user", content: "Where?" }] },
      });
      expect(response.headers.get("content-type")).toContain("text/event-stream");
      const checked = checkMessages(new Uint8Array(await response.arrayBuffer()));
      expect(checked.blocks.map(({ type, text: said, thinking }) => [type, said + thinking])).toEqual([
        ["thinking", "Hm."],
        ["text", "From pier 3."],
      ]);
      expect(checked.usage).toMatchObject({ input_tokens: 12, output_tokens: 4 });
      expect(checked.stopReason).toBe("end_turn");
    }
  });

  test("a key in x-api-key counts there also where other routes have another header", async () => {
    const other = await createMessagesWorld({ chat: () => reply }, { CUSTOM_API_KEY_HEADER: "x-harbour-key" });
    try {
      const ask = (name: string, path = "/api/v1/messages") =>
        other.request(path, {
          headers: { [name]: other.ada.token },
          json: { model: "chat", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] },
        });
      expect((await ask("x-api-key")).status).toBe(200);
      expect((await ask("x-harbour-key")).status).toBe(200);
      expect((await ask("x-api-key", "/api/chat/completions")).status).toBe(401);
      const list = (headers: Record<string, string>) => other.request("/api/v1/models", { headers });
      expect((await list({ "x-api-key": other.ada.token })).status).toBe(401);
      expect((await list({ "x-api-key": other.ada.token, "anthropic-version": "2023-06-01" })).status).toBe(200);
    } finally {
      await other.close();
    }
  });
});

test("a whole answer costs one round trip, and a stream too", async () => {
  await world.ask({ model: "chat" });
  await world.settled();
  for (const stream of [false, true]) {
    world.roundTrips.reset();
    await world.ask({ model: "chat", stream });
    expect(world.roundTrips.count).toBe(1);
    await world.settled();
  }
});
