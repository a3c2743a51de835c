import Anthropic, {
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  RateLimitError,
} from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { streamBytes } from "../../fixtures/streams/stream-fixtures.ts";
import { type MessagesProvider, startMessagesProvider } from "../../fixtures/upstreams/messages-provider.ts";
import type { ScriptedUpstream } from "../../fixtures/upstreams/scripted-upstream.ts";
import { type Parley, startParley } from "../start-parley.ts";
import { answers, describePictures, describeResults, models, questions, startFakeProvider } from "./fake-provider.ts";

/** The service as it is started, seen by Anthropic's own SDK: in front of a chat-completions provider, and of one of its dialect. */
const nativeKey = "sk-native-0123456789abcdef";
const nativeModel = "claude-fake-4-5";
let upstream: ScriptedUpstream;
let provider: MessagesProvider;
let parley: Parley;
let token: string;

beforeAll(async () => {
  upstream = await startFakeProvider();
  provider = await startMessagesProvider(nativeKey, [nativeModel]);
  parley = await startParley({ env: { OPENAI_API_BASE_URLS: upstream.url } });
  const post = async <T>(path: string, json: object, as?: string) => {
    const response = await fetch(`${parley.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(as ? { authorization: `Bearer ${as}` } : {}) },
      body: JSON.stringify(json),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  };
  const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
  ({ token } = await post<{ token: string }>("/api/v1/auths/signup", person));
  const connection = { kind: "anthropic", name: "Native", base_url: provider.url, key: nativeKey };
  await post("/api/v1/connections", connection, token);
});
afterAll(async () => {
  await parley?.stop();
  await upstream?.close();
  await provider?.close();
});

const client = (credentials: { apiKey?: string; authToken?: string } = { apiKey: token }) =>
  new Anthropic({ baseURL: `${parley.url}/api`, apiKey: null, authToken: null, ...credentials, maxRetries: 0 });
const ask = (model: string, content: Anthropic.MessageParam["content"] = questions.text) => ({
  model,
  max_tokens: 500,
  messages: [{ role: "user" as const, content }],
});
const text = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");
const city = { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] };
const tools: Anthropic.Tool[] = [
  { name: "get_weather", description: "Tells the weather", input_schema: city },
  { name: "get_time", description: "Tells the time", input_schema: city },
];
const { input, output } = answers.tokens;

test("models are listed, all of them, and one by its id", async () => {
  const listed: string[] = [];
  for await (const { id } of client().models.list({ limit: 1 })) listed.push(id);
  expect(listed).toEqual(expect.arrayContaining([...Object.values(models), nativeModel]));
  expect(new Set(listed).size).toBe(listed.length);
  expect(await client().models.retrieve(models.strict)).toMatchObject({ id: models.strict, type: "model" });
  await expect(client().models.retrieve("nobody")).rejects.toThrow(NotFoundError);
});

describe.each([models.strict, models.loose])("with the model %s", (model) => {
  test("an answer comes whole, by a key in either header", async () => {
    for (const credentials of [{ apiKey: token }, { authToken: token }]) {
      const { data, request_id: requestId } = await client(credentials).messages.create(ask(model)).withResponse();
      expect(text(data)).toBe(answers.text);
      expect(data).toMatchObject({
        model,
        stop_reason: "end_turn",
        usage: { input_tokens: input, output_tokens: output },
      });
      expect(requestId).toMatch(/./);
    }
  });

  test("and streamed, with its thoughts and tokens", async () => {
    const stream = client().messages.stream({ ...ask(model), output_config: { effort: "low" } });
    const pieces: string[] = [];
    stream.on("text", (piece) => pieces.push(piece));
    const message = await stream.finalMessage();
    expect(message.content[0]).toMatchObject({ type: "thinking", thinking: answers.reasoning });
    expect(pieces.join("")).toBe(answers.text);
    expect(pieces.length).toBeGreaterThan(1);
    expect(message.usage).toMatchObject({ input_tokens: input, output_tokens: output, cache_read_input_tokens: 0 });
  });

  test.each([
    [questions.tool, 1],
    [questions.tools, 2],
  ])("%s: calls and their results, streamed and whole", async (question, wanted) => {
    for (const isStreamed of [true, false]) {
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
      const turn = async () => {
        const request = { model, max_tokens: 500, tools, messages };
        const message = isStreamed
          ? await client().messages.stream(request).finalMessage()
          : await client().messages.create(request);
        messages.push({ role: "assistant", content: message.content });
        return message;
      };
      const called = await turn();
      expect(called.stop_reason).toBe("tool_use");
      const calls = called.content.filter((block) => block.type === "tool_use");
      expect(calls.map(({ name, input: given }) => [name, given])).toEqual(
        [
          ["get_weather", { city: "Zürich" }],
          ["get_time", { city: "Tokyo" }],
        ].slice(0, wanted),
      );
      expect(new Set(calls.map(({ id }) => id)).size).toBe(wanted);
      const results = calls.map(({ id, name }) => ({
        type: "tool_result" as const,
        tool_use_id: id,
        content: `${name} ok`,
      }));
      messages.push({ role: "user", content: results });
      const last = await turn();
      expect(text(last)).toBe(describeResults(calls.map(({ name }) => `${name} ok`)));
      expect(last.stop_reason).toBe("end_turn");
    }
  });

  test("pictures are seen", async () => {
    const data = Buffer.from("not really a picture").toString("base64");
    const source = { type: "base64" as const, media_type: "image/png" as const, data };
    const message = await client().messages.create(
      ask(model, [
        { type: "image", source },
        { type: "text", text: "?" },
      ]),
    );
    expect(text(message)).toBe(describePictures([{ type: "image/png", bytes: 20 }]));
  });

  test("answers are held to a schema", async () => {
    const schema = { ...city, additionalProperties: false };
    const format = { type: "json_schema" as const, schema };
    const message = await client().messages.create({ ...ask(model), output_config: { format } });
    expect(JSON.parse(text(message))).toEqual(JSON.parse(answers.json));
  });

  test("a client that leaves lets the model go", async () => {
    const stream = client().messages.stream(ask(model, questions.slow));
    await new Promise<void>((resolve) => stream.once("text", () => resolve()));
    stream.abort();
    await expect(stream.done()).rejects.toThrow(APIUserAbortError);
    expect(await upstream.exchanges.at(-1)!.over).toBe("left");
  });

  test("tokens are counted", async () => {
    const { model: _, max_tokens: _most, ...rest } = ask(model);
    const short = await client().messages.countTokens({ model, ...rest });
    const long = await client().messages.countTokens({ model, ...rest, tools, system: "Be brief." });
    expect(short.input_tokens).toBeGreaterThan(5);
    expect(long.input_tokens).toBeGreaterThan(short.input_tokens + 20);
  });
});

describe("errors are those that the SDK knows", () => {
  test("of the provider, with when to come again", async () => {
    const error = await client()
      .messages.create(ask(models.limited))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    const { status, type, headers, requestID } = error as RateLimitError;
    expect([status, type, headers?.get("retry-after")]).toEqual([429, "rate_limit_error", answers.refusal.retryAfter]);
    expect(requestID).toMatch(/./);
    expect(String(error)).toContain(answers.refusal.message);
    await expect(client().messages.stream(ask(models.limited)).finalMessage()).rejects.toThrow(RateLimitError);
  });

  test("of the service", async () => {
    await expect(client().messages.create(ask("nobody"))).rejects.toThrow(NotFoundError);
    await expect(client({ apiKey: "sk-nobody" }).messages.create(ask(models.strict))).rejects.toThrow(
      AuthenticationError,
    );
    await expect(client().messages.create({ ...ask(models.strict), max_tokens: 0 })).rejects.toThrow(BadRequestError);
  });
});

describe("with a model of a provider that speaks the dialect", () => {
  test("streams come through, thoughts with their signatures", async () => {
    provider.replies["messages"] = () => ({ events: [streamBytes({ name: "messages-native/thinking-tools" })] });
    const message = await client().messages.stream(ask(nativeModel)).finalMessage();
    expect(message.content[0]).toMatchObject({ type: "thinking", signature: expect.stringMatching(/./) });
    expect(message.content.filter((block) => block.type === "tool_use").length).toBe(2);
    expect(message.usage.cache_read_input_tokens).toBe(512);
  });

  test("tokens are the provider's own", async () => {
    provider.replies["count_tokens"] = () => ({ json: { input_tokens: 4711 } });
    const { messages } = ask(nativeModel);
    expect(await client().messages.countTokens({ model: nativeModel, messages })).toEqual({ input_tokens: 4711 });
  });

  test("an error in the middle is one", async () => {
    const events = Buffer.from(streamBytes({ name: "messages-native/text" })).toString();
    const error = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    provider.replies["messages"] = () => ({ events: [events.slice(0, events.indexOf("\n\n") + 2), error] });
    const thrown = await client()
      .messages.stream(ask(nativeModel))
      .finalMessage()
      .catch((why: unknown) => why);
    expect(thrown).toBeInstanceOf(APIError);
    expect(String(thrown)).toContain("Overloaded");
  });

  test("a client that leaves lets it go", async () => {
    const events = Buffer.from(streamBytes({ name: "messages-native/text" })).toString();
    const start = events.slice(0, events.indexOf("\n\n", events.indexOf("text_delta")) + 2);
    provider.replies["messages"] = () => ({ events: [start], then: "hang" });
    const stream = client().messages.stream(ask(nativeModel));
    await new Promise<void>((resolve) => stream.once("text", () => resolve()));
    stream.abort();
    await expect(stream.done()).rejects.toThrow(APIUserAbortError);
    expect(await provider.requests.at(-1)!.over).toBe("left");
  });
});
