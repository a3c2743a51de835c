import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  RateLimitError,
  UnprocessableEntityError,
} from "openai";
import type { FunctionTool, Response as ModelResponse, ResponseInput } from "openai/resources/responses/responses";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { streamBytes } from "../../fixtures/streams/stream-fixtures.ts";
import { type MessagesProvider, startMessagesProvider } from "../../fixtures/upstreams/messages-provider.ts";
import type { ScriptedUpstream } from "../../fixtures/upstreams/scripted-upstream.ts";
import { type Parley, startParley } from "../start-parley.ts";
import { answers, describePictures, describeResults, models, questions, startFakeProvider } from "./fake-provider.ts";

/** The Responses API of the service as it is started, seen by OpenAI's own SDK, over both kinds of providers. */
const nativeKey = "sk-native-0123456789abcdef";
const nativeModel = "claude-fake-4-5";
let upstream: ScriptedUpstream;
let provider: MessagesProvider;
let parley: Parley;
let token: string;

beforeAll(async () => {
  upstream = await startFakeProvider();
  provider = await startMessagesProvider(nativeKey, [nativeModel]);
  parley = await startParley({
    env: {
      OPENAI_API_BASE_URLS: upstream.url,
      ANTHROPIC_API_BASE_URLS: provider.url,
      ANTHROPIC_API_KEYS: nativeKey,
    },
  });
  const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
  const response = await fetch(`${parley.url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  });
  ({ token } = (await response.json()) as { token: string });
});
afterAll(async () => {
  await parley?.stop();
  await upstream?.close();
  await provider?.close();
});

const client = ({ base = "/api", apiKey = token } = {}) =>
  new OpenAI({ baseURL: `${parley.url}${base}`, apiKey, maxRetries: 0 });
const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tool = (name: string): FunctionTool => ({ type: "function", name, parameters, strict: true });
const tools = [tool("get_weather"), tool("get_time")];
const { input, output } = answers.tokens;

test("models are listed", async () => {
  const listed: string[] = [];
  for await (const { id } of client().models.list()) listed.push(id);
  expect(listed).toEqual(expect.arrayContaining([...Object.values(models), nativeModel]));
});

describe.each([models.strict, models.loose])("with the model %s", (model) => {
  test.each(["/api", "/api/v1"])("an answer comes whole below %s, with its tokens", async (base) => {
    const response = await client({ base }).responses.create({ model, input: questions.text });
    expect(response.output_text).toBe(answers.text);
    expect(response).toMatchObject({
      model,
      status: "completed",
      usage: { input_tokens: input, output_tokens: output },
    });
  });

  test("and streamed, with its thoughts and tokens", async () => {
    const stream = client().responses.stream({
      model,
      input: questions.text,
      reasoning: { effort: "low", summary: "auto" },
    });
    const pieces: string[] = [];
    stream.on("response.output_text.delta", ({ delta }) => pieces.push(delta));
    const response = await stream.finalResponse();
    expect(response.output[0]).toMatchObject({
      type: "reasoning",
      summary: [{ type: "summary_text", text: answers.reasoning }],
    });
    expect(pieces.join("")).toBe(answers.text);
    expect(pieces.length).toBeGreaterThan(1);
    expect(response.output_text).toBe(answers.text);
    expect(response.usage).toMatchObject({ input_tokens: input, output_tokens: output });
  });

  test.each([
    [questions.tool, 1],
    [questions.tools, 2],
  ])("%s: calls and their results, streamed and whole, carried along and kept", async (question, wanted) => {
    for (const isStreamed of [true, false]) {
      for (const isKept of [true, false]) {
        const ask = (more: { input: ResponseInput; previous_response_id?: string }): Promise<ModelResponse> => {
          const request = { model, tools, store: isKept, ...more };
          return isStreamed
            ? client().responses.stream(request).finalResponse()
            : client().responses.create({ ...request, stream: false });
        };
        const first: ResponseInput = [{ role: "user", content: question }];
        const called = await ask({ input: first });
        const calls = called.output.filter((item) => item.type === "function_call");
        expect(calls.map(({ name, arguments: given }) => [name, JSON.parse(given) as unknown])).toEqual(
          [
            ["get_weather", { city: "Zürich" }],
            ["get_time", { city: "Tokyo" }],
          ].slice(0, wanted),
        );
        const results = calls.map(({ call_id, name }) => ({
          type: "function_call_output" as const,
          call_id,
          output: `${name} ok`,
        }));
        const last = await ask(
          isKept
            ? { input: results, previous_response_id: called.id }
            : { input: [...first, ...called.output, ...results] as ResponseInput },
        );
        expect(last.output_text).toBe(describeResults(calls.map(({ name }) => `${name} ok`)));
      }
    }
  });

  test("pictures are seen", async () => {
    const data = Buffer.from("not really a picture").toString("base64");
    const picture = {
      type: "input_image" as const,
      image_url: `data:image/png;base64,${data}`,
      detail: "auto" as const,
    };
    const response = await client().responses.create({
      model,
      input: [{ role: "user", content: [picture, { type: "input_text", text: "?" }] }],
    });
    expect(response.output_text).toBe(describePictures([{ type: "image/png", bytes: 20 }]));
  });

  test("answers are held to a schema", async () => {
    const format = { type: "json_schema" as const, name: "place", schema: parameters, strict: true };
    const response = await client().responses.parse({ model, input: questions.text, text: { format } });
    expect(response.output_parsed).toEqual(JSON.parse(answers.json));
  });

  test("a client that leaves lets the model go", async () => {
    const stream = client().responses.stream({ model, input: questions.slow });
    await new Promise<void>((resolve) => stream.once("response.output_text.delta", () => resolve()));
    stream.abort();
    await expect(stream.done()).rejects.toThrow(APIUserAbortError);
    expect(await upstream.exchanges.at(-1)!.over).toBe("left");
  });
});

test("what is kept is read, listed and deleted", async () => {
  const { responses } = client();
  const made = await responses.create({ model: models.strict, input: questions.text, metadata: { trip: "1" } });
  expect(await responses.retrieve(made.id)).toEqual(made);
  const items: unknown[] = [];
  for await (const item of responses.inputItems.list(made.id)) items.push(item);
  expect(items).toMatchObject([{ type: "message", content: [{ text: questions.text }] }]);
  await responses.delete(made.id);
  await expect(responses.retrieve(made.id)).rejects.toThrow(NotFoundError);
});

describe("errors are those that the SDK knows", () => {
  test("of the provider, with when to come again", async () => {
    const error = await client()
      .responses.create({ model: models.limited, input: questions.text })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    const { status, code, headers } = error as RateLimitError;
    expect([status, code, headers?.get("retry-after")]).toEqual([
      429,
      answers.refusal.code,
      answers.refusal.retryAfter,
    ]);
    await expect(
      client().responses.stream({ model: models.limited, input: questions.text }).finalResponse(),
    ).rejects.toThrow(RateLimitError);
  });

  test("of the service", async () => {
    const { responses } = client();
    const input = questions.text;
    await expect(responses.create({ model: "nobody", input })).rejects.toThrow(NotFoundError);
    await expect(responses.create({ model: models.strict, input, background: true })).rejects.toThrow(BadRequestError);
    await expect(responses.create({ model: models.strict, input, temperature: 9 })).rejects.toThrow(
      UnprocessableEntityError,
    );
    await expect(client({ apiKey: "sk-nobody" }).responses.create({ model: models.strict, input })).rejects.toThrow(
      AuthenticationError,
    );
  });
});

describe("with a model of a provider that speaks the Messages API", () => {
  test("thoughts, words and calls come through, whole and streamed", async () => {
    provider.replies["messages"] = () => ({ events: [streamBytes({ name: "messages-native/thinking-tools" })] });
    const request = { model: nativeModel, input: questions.tools, tools };
    for (const response of [
      await client().responses.create(request),
      await client().responses.stream(request).finalResponse(),
    ]) {
      expect(response.output.map(({ type }) => type)).toEqual([
        "reasoning",
        "message",
        "function_call",
        "function_call",
      ]);
      expect(response.usage?.input_tokens_details.cached_tokens).toBe(512);
    }
  });

  test("an error in the middle ends the stream as failed", async () => {
    const events = Buffer.from(streamBytes({ name: "messages-native/text" })).toString();
    const error = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const begun = events.slice(0, events.indexOf("event: content_block_stop"));
    provider.replies["messages"] = () => ({ events: [begun, error] });
    const stream = await client().responses.create({ model: nativeModel, input: questions.text, stream: true });
    const types: string[] = [];
    let failed: unknown;
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "response.failed") failed = event.response.error;
    }
    expect(types.at(-1)).toBe("response.failed");
    expect(failed).toMatchObject({ code: "server_error", message: "Overloaded" });
  });

  test("a client that leaves lets it go", async () => {
    const events = Buffer.from(streamBytes({ name: "messages-native/text" })).toString();
    const start = events.slice(0, events.indexOf("\n\n", events.indexOf("text_delta")) + 2);
    provider.replies["messages"] = () => ({ events: [start], then: "hang" });
    const stream = client().responses.stream({ model: nativeModel, input: questions.text });
    await new Promise<void>((resolve) => stream.once("response.output_text.delta", () => resolve()));
    stream.abort();
    await expect(stream.done()).rejects.toThrow(APIUserAbortError);
    expect(await provider.requests.at(-1)!.over).toBe("left");
  });
});
