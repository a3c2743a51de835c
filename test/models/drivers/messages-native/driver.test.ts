import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cutAt, streamBytes } from "../../../fixtures/streams/stream-fixtures.ts";
import { type MessagesProvider, startMessagesProvider } from "../../../fixtures/upstreams/messages-provider.ts";
import { checkStream } from "../../../grammar/chat-completions.ts";
import { createWorld, type Person, type World } from "../../../world.ts";
import { answering, startProvider } from "../../provider.ts";

const key = "sk-native-0123456789abcdef";
let world: World;
let ada: Person;
let provider: MessagesProvider;

async function open(environment: Record<string, string> = {}): Promise<void> {
  provider = await startMessagesProvider(key, ["claude-fake-4-5", "other"]);
  world = await createWorld({
    environment: {
      ANTHROPIC_API_BASE_URLS: provider.url,
      ANTHROPIC_API_KEYS: key,
      DEFAULT_USER_ROLE: "user",
      ...environment,
    },
  });
  ada = await world.person({ role: "user" });
}
beforeEach(() => open());
afterEach(async () => {
  await world.close();
  await provider.close();
});

interface Completion {
  choices: {
    message: Record<string, unknown>;
    finish_reason: string;
    native_finish_reason?: string;
    stop_reason?: string;
  }[];
  usage: Record<string, unknown>;
  model: string;
  error: { message: string; code: string; type: string };
}
const question = [{ role: "user", content: "Where is the ferry?" }];
const complete = (more: object = {}) =>
  world.call<Completion>("/api/chat/completions", {
    as: ada,
    json: { model: "claude-fake-4-5", messages: question, ...more },
  });
const streamed = async (more: object = {}) => {
  const response = await world.request("/api/chat/completions", {
    as: ada,
    json: { model: "claude-fake-4-5", messages: question, stream: true, ...more },
  });
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
};
const answer = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-fake-4-5",
  content: [
    { type: "thinking", thinking: "Hm", signature: "c2ln" },
    { type: "text", text: "I " },
    { type: "text", text: "look." },
    { type: "tool_use", id: "toolu_1", name: "get_time", input: { zone: "UTC" } },
  ],
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: {
    input_tokens: 9,
    cache_read_input_tokens: 90,
    cache_creation_input_tokens: 1,
    output_tokens: 4,
    output_tokens_details: { thinking_tokens: 2 },
  },
};

describe("listing", () => {
  test("names its models, in the way of lists and of the dialect", async () => {
    const { body } = await world.call<{ data: Record<string, unknown>[] }>("/api/models", { as: ada });
    expect(body.data).toMatchObject([
      { id: "claude-fake-4-5", owned_by: "anthropic", created: 1767225600, connection_type: "external" },
      { id: "other", owned_by: "anthropic" },
    ]);
  });

  test("reads page after page, and finds lists below an address without a version", async () => {
    const page = (id: string, more: boolean) =>
      JSON.stringify({ data: [{ type: "model", id }], has_more: more, last_id: id });
    const other = await startProvider((request, response) => {
      const url = new URL(request.url!, "http://provider.test");
      if (url.pathname !== "/gateway/v1/models") return answering(404, "{}")(request, response);
      const first = url.searchParams.get("after_id") === null;
      return answering(200, first ? page("one", true) : page("two", false))(request, response);
    });
    const trial = { kind: "anthropic", base_url: `${other.origin}/gateway`, key: "sk-k" };
    const { body } = await world.call("/api/v1/connections/verify", { as: await world.admin(), json: trial });
    expect(body).toMatchObject({ ok: true, models: ["one", "two"] });
    expect(other.headers[0]).toMatchObject({ "x-api-key": "sk-k", "anthropic-version": "2023-06-01" });
    expect(other.headers[0]).not.toHaveProperty("authorization");
    await other.close();
  });

  test("does not ask for ever where pages repeat themselves", async () => {
    const other = await startProvider(
      answering(200, JSON.stringify({ data: [{ id: "one" }], has_more: true, last_id: "one" })),
    );
    const trial = { kind: "anthropic", base_url: other.origin };
    const { body } = await world.call("/api/v1/connections/verify", { as: await world.admin(), json: trial });
    expect(body).toMatchObject({ ok: true, models: ["one"] });
    expect(other.requests).toHaveLength(2);
    await other.close();
  });

  test.each([
    [401, "key_refused"],
    [404, "not_found"],
    [529, "provider_error"],
  ])("a list with %i fails as %s", async (status, reason) => {
    const other = await startProvider(answering(status, '{"type":"error","error":{"message":"sk-k is wrong"}}'));
    const trial = { kind: "anthropic", base_url: other.origin, key: "sk-k" };
    const { body } = await world.call("/api/v1/connections/verify", { as: await world.admin(), json: trial });
    expect(body).toMatchObject({ ok: false, reason });
    expect(JSON.stringify(body)).not.toContain("sk-k");
    await other.close();
  });
});

describe("completing", () => {
  test("asks in the dialect and answers as chat completions do", async () => {
    provider.replies = { messages: () => ({ json: answer }) };
    const { status, body } = await complete({ max_tokens: 99 });
    expect(status).toBe(200);
    expect(provider.requests[0]).toMatchObject({
      path: "/v1/messages",
      headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
      body: { model: "claude-fake-4-5", max_tokens: 99, messages: [{ role: "user" }] },
    });
    expect(body).toMatchObject({
      object: "chat.completion",
      model: "claude-fake-4-5",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "I look.",
            reasoning_content: "Hm",
            thinking_blocks: [{ type: "thinking", thinking: "Hm", signature: "c2ln" }],
            tool_calls: [
              { id: "toolu_1", type: "function", function: { name: "get_time", arguments: '{"zone":"UTC"}' } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 4,
        total_tokens: 104,
        prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 1 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });

  test.each([
    ["end_turn", null, "stop"],
    ["stop_sequence", "END", "stop"],
    ["pause_turn", null, "stop"],
    ["max_tokens", null, "length"],
    ["model_context_window_exceeded", null, "length"],
    ["refusal", null, "content_filter"],
    ["something_new", null, "stop"],
  ])("an answer that ends with %s (%s) ends with %s", async (stop_reason, stop_sequence, finish) => {
    const content = [{ type: "text", text: "Yes" }];
    provider.replies = { messages: () => ({ json: { ...answer, content, stop_reason, stop_sequence } }) };
    const [choice] = (await complete()).body.choices;
    expect(choice).toMatchObject({ finish_reason: finish, native_finish_reason: stop_reason });
    expect(choice!.stop_reason).toBe(stop_sequence ?? undefined);
  });

  test.each([
    [400, "invalid_request_error", 400],
    [401, "authentication_error", 502],
    [413, "request_too_large", 413],
    [429, "rate_limit_error", 429],
    [529, "overloaded_error", 529],
  ])("an error with %i (%s) is one with %i, without the key", async (status, type, expected) => {
    const error = { type: "error", error: { type, message: `No, ${key}` } };
    provider.replies = { messages: () => ({ status, json: error, headers: { "retry-after": "900" } }) };
    const { status: got, body } = await complete();
    expect(got).toBe(expected);
    expect(body.error.message).toMatch(/No, /);
    expect(JSON.stringify(body)).not.toContain(key);
  });

  test("what is no message is told as what it is", async () => {
    provider.replies = {
      messages: () => ({ events: ["<!doctype html><title>Gateway</title>"], headers: { "content-type": "text/html" } }),
    };
    expect((await complete()).body.error.message).toContain("a web page (“Gateway”)");
    provider.replies = { messages: () => ({ json: { hello: 1 } }) };
    expect((await complete()).status).toBe(502);
  });

  test("a stream that was not asked for, or has another name, is read all the same", async () => {
    const bytes = streamBytes({ name: "messages-native/thinking-tools" });
    for (const type of ["text/event-stream", "application/octet-stream"]) {
      provider.replies = { messages: () => ({ events: [bytes], headers: { "content-type": type } }) };
      const { body } = await complete();
      expect(body.choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: "I look it up." } });
      expect(body.choices[0]!.message["tool_calls"]).toHaveLength(2);
    }
  });
});

describe("streaming", () => {
  test("says the provider's events as chunks, thoughts with their marks", async () => {
    const bytes = streamBytes({ name: "messages-native/thinking-tools" });
    provider.replies = { messages: () => ({ events: cutAt(bytes, [100, 333, 700, 1500]) }) };
    const { bytes: said } = await streamed({ stream_options: { include_usage: true } });
    const checked = checkStream(said, { usage: true });
    const deltas = checked.chunks.flatMap(({ choices }) =>
      (choices as { delta: Record<string, unknown> }[]).map(({ delta }) => delta),
    );
    const thoughts = deltas.flatMap((delta) => (delta["thinking_blocks"] ?? []) as Record<string, unknown>[]);
    expect(thoughts.length).toBeGreaterThan(0);
    const whole = deltas.map((delta) => delta["reasoning_content"] ?? "").join("");
    expect(thoughts.map(({ thinking }) => thinking ?? "").join("")).toBe(whole);
    for (const { signature, data } of thoughts) expect(signature ?? data).toEqual(expect.stringMatching(/./));
  });

  test("an error in the middle is one at the end, with its status, and nothing is said to be whole", async () => {
    const text = new TextDecoder().decode(streamBytes({ name: "messages-native/text" }));
    const begun = text.slice(0, text.indexOf("event: content_block_stop"));
    const error = { type: "error", error: { type: "overloaded_error", message: `Overloaded, ${key}` } };
    provider.replies = {
      messages: () => ({ events: [begun, `event: error\ndata: ${JSON.stringify(error)}\n\n`] }),
    };
    const { bytes } = await streamed();
    const { error: said } = checkStream(bytes, { usage: false });
    expect(said).toMatchObject({ type: "overloaded_error", status: 503 });
    expect(new TextDecoder().decode(bytes)).not.toContain(key);
  });

  test.each(["end", "cut"] as const)("a stream that breaks off (%s) is not whole", async (then) => {
    const text = new TextDecoder().decode(streamBytes({ name: "messages-native/text" }));
    const begun = text.slice(0, text.indexOf("event: message_delta"));
    provider.replies = { messages: () => ({ events: [begun], then }) };
    expect(checkStream((await streamed()).bytes, { usage: false }).error).toMatchObject({ status: 502 });
  });

  test("who leaves lets the provider go", async () => {
    const text = new TextDecoder().decode(streamBytes({ name: "messages-native/text" }));
    provider.replies = {
      messages: () => ({ events: [text.slice(0, text.indexOf("event: content_block_stop"))], then: "hang" }),
    };
    const leave = new AbortController();
    const response = await world.request("/api/chat/completions", {
      as: ada,
      json: { model: "claude-fake-4-5", messages: question, stream: true },
      signal: leave.signal,
    });
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    leave.abort();
    expect(await provider.requests[0]!.over).toBe("left");
  });
});

test("embeddings are refused in words", async () => {
  const { status, body } = await world.call<{ error: { message: string } }>("/api/embeddings", {
    as: ada,
    json: { model: "claude-fake-4-5", input: "x" },
  });
  expect(status).toBe(400);
  expect(body.error.message).toContain("not embeddings");
});
