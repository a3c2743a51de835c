import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { streamBytes } from "../../fixtures/streams/stream-fixtures.ts";
import { checkMessages } from "../../grammar/messages.ts";
import { install } from "../functions/install.ts";
import { createMessagesWorld, type MessagesWorld, nativeKey, nativeModel, upstreamModel } from "./messages-world.ts";

let world: MessagesWorld;
beforeAll(async () => {
  world = await createMessagesWorld({ chat: () => ({ content: "x" }) });
});
afterAll(() => world.close());
beforeEach(() => {
  world.provider.requests.length = 0;
  world.provider.replies = { messages: () => ({ json: answer, headers: { "request-id": "req_native" } }) };
});

const answer = {
  id: "msg_native",
  type: "message",
  role: "assistant",
  model: upstreamModel,
  content: [{ type: "text", text: "From pier 3.", citations: [{ type: "char_location", cited_text: "3" }] }],
  stop_reason: "stop_sequence",
  stop_sequence: "END",
  usage: { input_tokens: 9, cache_read_input_tokens: 90, cache_creation_input_tokens: 1, output_tokens: 4 },
  context_management: { applied_edits: [] },
};
const request = {
  system: [{ type: "text", text: "x-anthropic-billing-header: a", cache_control: { type: "ephemeral" } }],
  tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 3 }],
  thinking: { type: "enabled", budget_tokens: 1024 },
  metadata: { user_id: "u".repeat(100) },
  messages: [
    { role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral", ttl: "1h" } }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm", signature: "c2ln" },
        { type: "text", text: "Yes?" },
      ],
    },
    {
      role: "user",
      content: [{ type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" } }],
    },
  ],
};
const decoder = new TextDecoder();
const textOf = async (response: Response) => decoder.decode(await response.arrayBuffer());
const stream = (more: object = {}) =>
  world.request("/api/v1/messages", {
    as: world.ada,
    json: { model: nativeModel, max_tokens: 9, stream: true, messages: [{ role: "user", content: "Hi" }], ...more },
  });

describe("a provider that speaks the dialect", () => {
  test("gets the request as it came, and the answer goes back as it came", async () => {
    const { status, body, headers } = await world.ask(
      { model: nativeModel, ...request, max_tokens: 2000 },
      { headers: { "anthropic-version": "2023-06-01", "anthropic-beta": "context-1m", "x-other": "1" } },
    );
    expect([status, body]).toEqual([200, answer]);
    const [asked] = world.provider.requests;
    expect(asked!.body).toEqual({ model: upstreamModel, max_tokens: 2000, ...request });
    expect(asked!.headers).toMatchObject({ "x-api-key": nativeKey, "anthropic-beta": "context-1m" });
    expect(asked!.headers["x-other"]).toBeUndefined();
    expect(asked!.headers["authorization"]).toBeUndefined();
    expect(headers.get("x-upstream-request-id")).toBe("req_native");
  });

  test("streams its own bytes", async () => {
    const events = streamBytes({ name: "messages-native/thinking-tools" });
    world.provider.replies["messages"] = () => ({ events: [events.subarray(0, 1000), events.subarray(1000)] });
    const response = await stream();
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(events);
  });

  test("gets the model's own instructions and parameters below the caller's", async () => {
    const model = { id: "harbour-master", name: "Harbour", base_model_id: nativeModel, meta: {} };
    const access_grants = [{ principal_type: "user", principal_id: "*", permission: "read" }];
    const params = { system: "You are the harbour master.", temperature: 0.1, top_k: 3 };
    await world.call("/api/v1/models/create", { as: await world.admin(), json: { ...model, params, access_grants } });
    await world.ask({ model: "harbour-master", system: "Be brief.", temperature: 0.9 });
    expect(world.provider.requests[0]!.body).toMatchObject({
      model: upstreamModel,
      system: [
        { type: "text", text: "You are the harbour master." },
        { type: "text", text: "Be brief." },
      ],
      temperature: 0.9,
      top_k: 3,
    });
  });

  test("does not get another model's thoughts, which it would refuse", async () => {
    const content = [
      { type: "thinking", thinking: "Hm", signature: "" },
      { type: "text", text: "Yes?" },
    ];
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content },
      { role: "user", content: "So?" },
    ];
    await world.ask({ model: nativeModel, messages });
    expect(world.provider.requests[0]!.body["messages"]).toEqual([
      messages[0],
      { role: "assistant", content: [{ type: "text", text: "Yes?" }] },
      messages[2],
    ]);
  });

  test.each([
    [400, "invalid_request_error", 400, "invalid_request_error"],
    [401, "authentication_error", 502, "api_error"],
    [403, "permission_error", 502, "api_error"],
    [413, "request_too_large", 413, "request_too_large"],
    [429, "rate_limit_error", 429, "rate_limit_error"],
    [500, "api_error", 500, "api_error"],
    [529, "overloaded_error", 529, "overloaded_error"],
  ])("that fails with %i %s is %i %s here, without the connection's key", async (theirs, said, status, type) => {
    const error = { type: said, message: `Not with ${nativeKey}` };
    world.provider.replies["messages"] = () => ({ status: theirs, json: { type: "error", error } });
    for (const isStream of [false, true]) {
      const answered = await world.ask({ model: nativeModel, stream: isStream });
      expect(answered.status).toBe(status);
      expect(answered.body).toMatchObject({ type: "error", error: { type } });
      expect(JSON.stringify(answered.body)).not.toContain(nativeKey);
    }
  });

  test.each([
    ["nothing", "", /answered with nothing/],
    ["spaces", "  \n", /answered with nothing/],
    ["a text", "All is well", /not JSON/],
    ["a page", "<!doctype html><p>Sign in", /damaged JSON/],
  ])("that answers with %s has failed, and its words are no answer", async (_name, body, words) => {
    world.provider.replies["messages"] = () => ({ body });
    const answered = await world.ask({ model: nativeModel });
    expect([answered.status, answered.body]).toMatchObject([502, { type: "error", error: { type: "api_error" } }]);
    expect(JSON.stringify(answered.body)).toMatch(words);
  });

  test("that breaks off, or just stops, is told as an error at the end of whole events", async () => {
    const whole = decoder.decode(streamBytes({ name: "messages-native/text" }));
    for (const then of ["cut", "end"] as const) {
      world.provider.replies["messages"] = () => ({ events: [whole.slice(0, whole.indexOf("text_delta") + 20)], then });
      const checked = checkMessages(new TextEncoder().encode(await textOf(await stream())));
      expect(checked.error).toMatchObject({ type: "api_error" });
    }
  });

  test("is let go when the caller leaves", async () => {
    const whole = decoder.decode(streamBytes({ name: "messages-native/text" }));
    const start = whole.slice(0, whole.indexOf("\n\n") + 2);
    world.provider.replies["messages"] = () => ({ events: [start], then: "hang" });
    const response = await stream();
    const reader = response.body!.getReader();
    expect(decoder.decode((await reader.read()).value)).toBe(start);
    await reader.cancel();
    expect(await world.provider.requests[0]!.over).toBe("left");
  });
});

test("a provider that speaks the dialect is asked in the same words where a filter has a part in the turn", async () => {
  const filtered = await createMessagesWorld({});
  try {
    const source = `export class Filter {
      inlet(body) { body.messages.at(-1).content.push({ type: "text", text: "(filtered)" }) }
    }`;
    await install(filtered, { id: "notes", source });
    filtered.provider.replies["messages"] = () => ({ json: answer });
    const asked = { ...request, tools: undefined, max_tokens: 3000 };
    const { status, body } = await filtered.ask({ model: nativeModel, ...asked });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ content: [{ type: "text", text: "From pier 3." }], stop_reason: "end_turn" });
    expect(body.usage).toMatchObject({ input_tokens: 9, cache_read_input_tokens: 90, cache_creation_input_tokens: 1 });
    const { system, messages, thinking, metadata } = filtered.provider.requests[0]!.body as typeof request;
    expect({ system, thinking, metadata }).toEqual({
      system: request.system,
      thinking: request.thinking,
      metadata: request.metadata,
    });
    expect(messages).toEqual([
      request.messages[0],
      request.messages[1],
      { role: "user", content: [...(request.messages[2]!.content as object[]), { type: "text", text: "(filtered)" }] },
    ]);
  } finally {
    await filtered.close();
  }
});

describe("tokens", () => {
  const count = (json: object) =>
    world.call<{ input_tokens: number }>("/api/v1/messages/count_tokens?beta=true", {
      as: world.ada,
      json: { messages: [{ role: "user", content: "Where is the ferry?" }], ...json },
    });

  test("are counted by a provider that can", async () => {
    world.provider.replies["count_tokens"] = (body) => ({ json: { input_tokens: Object.keys(body).length } });
    const counted = await count({ model: nativeModel, system: "Be brief.", max_tokens: 5, stream: true });
    expect([counted.status, counted.body]).toEqual([200, { input_tokens: 3 }]);
    expect(counted.headers.get("x-parley-estimated")).toBeNull();
    expect(world.provider.requests[0]!.path).toBe("/v1/messages/count_tokens");
  });

  test("are not counted where the provider refuses: its error comes in this dialect", async () => {
    world.provider.replies["count_tokens"] = () => ({
      status: 400,
      json: { type: "error", error: { type: "invalid_request_error", message: "messages: too many" } },
    });
    const counted = await count({ model: nativeModel });
    expect(counted.status).toBe(400);
    expect(counted.body).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: "messages: too many" },
    });
  });

  test("are estimated where it cannot, and for all others", async () => {
    for (const model of [nativeModel, "chat"]) {
      const counted = await count({ model });
      expect(counted.status).toBe(200);
      expect(counted.headers.get("x-parley-estimated")).toBe("true");
      expect(counted.body.input_tokens).toBeGreaterThan(5);
      expect(counted.body.input_tokens).toBeLessThan(30);
    }
  });

  test("of tools, instructions, pictures and documents count, and long texts in proportion", async () => {
    const tokens = async (more: object) => (await count({ model: "chat", ...more })).body.input_tokens;
    const plain = await tokens({});
    const schema = { type: "object", properties: { ferry: { type: "string", description: "Its name" } } };
    expect(await tokens({ tools: [{ name: "get_pier", input_schema: schema }] })).toBeGreaterThan(plain + 20);
    expect(await tokens({ system: "word ".repeat(100) })).toBeGreaterThan(plain + 80);
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(40_000) } };
    const withImage = await tokens({ messages: [{ role: "user", content: [image] }] });
    expect(withImage).toBeGreaterThan(1000);
    expect(withImage).toBeLessThan(2500);
    const long = await tokens({ system: "The ferry leaves at nine. ".repeat(40_000) });
    const short = await tokens({ system: "The ferry leaves at nine. ".repeat(4000) });
    expect(long / short).toBeGreaterThan(9);
    expect(long / short).toBeLessThan(11);
  });

  test("of an unknown model, or of nothing, are none", async () => {
    expect((await count({ model: "nobody" })).status).toBe(404);
    expect((await count({ model: "chat", messages: [] })).status).toBe(400);
  });
});

describe("models in the dialect", () => {
  const headers = { "anthropic-version": "2023-06-01" };
  interface Page {
    data: { id: string; type: string; display_name: string; created_at: string }[];
    has_more: boolean;
    first_id: string;
    last_id: string;
  }
  const list = async (query = "") =>
    (await world.call<Page>(`/api/v1/models${query}`, { as: world.ada, headers })).body;

  test("are told to clients that speak it, page by page", async () => {
    const all = await list();
    expect(all.data.map(({ id, type }) => [id, type])).toContainEqual([nativeModel, "model"]);
    expect(all.data[0]!.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(all.has_more).toBe(false);
    const seen: string[] = [];
    for (let after = ""; ;) {
      const page = await list(`?limit=1${after}`);
      expect(page.data.length).toBe(1);
      expect([page.first_id, page.last_id]).toEqual([page.data[0]!.id, page.data[0]!.id]);
      seen.push(page.data[0]!.id);
      if (!page.has_more) break;
      after = `&after_id=${encodeURIComponent(page.last_id)}`;
    }
    expect(seen).toEqual(all.data.map(({ id }) => id));
    const before = await list(`?limit=1&before_id=${all.data[1]!.id}`);
    expect([before.data[0]!.id, before.has_more]).toEqual([all.data[0]!.id, false]);
  });

  test("one of them, and one that is not there", async () => {
    const one = await world.call(`/api/v1/models/${nativeModel}`, { as: world.ada, headers });
    expect(one.body).toMatchObject({ type: "model", id: nativeModel });
    const none = await world.call("/api/v1/models/nobody", { as: world.ada, headers });
    expect(none).toMatchObject({ status: 404, body: { type: "error", error: { type: "not_found_error" } } });
  });

  test("are told in the other shape to everybody else", async () => {
    const { body } = await world.call<{ object: string }>("/api/v1/models", { as: world.ada });
    expect(body.object).toBe("list");
  });
});
