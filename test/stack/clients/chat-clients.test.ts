import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ScriptedUpstream } from "../../fixtures/upstreams/scripted-upstream.ts";
import { type Parley, startParley } from "../start-parley.ts";
import { aiSdkClient } from "./chat/ai-sdk.ts";
import type { ChatClient, ChatMessage, ChatQuestion } from "./chat/chat-client.ts";
import { langchainClient } from "./chat/langchain.ts";
import { openaiClient } from "./chat/openai.ts";
import { answers, describePictures, describeResults, models, questions, startFakeProvider } from "./fake-provider.ts";

/** One script for all clients of chat completions, against the service as it is started. */
let upstream: ScriptedUpstream;
let parley: Parley;
let token: string;

beforeAll(async () => {
  upstream = await startFakeProvider();
  parley = await startParley({ env: { OPENAI_API_BASE_URLS: upstream.url } });
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
});

const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tools = ["get_weather", "get_time"].map((name) => ({ name, parameters }));
const user = (text: string): ChatMessage => ({ role: "user", text });
const { input, output } = answers.tokens;
const tokens = { input, output };

const clients = { openai: openaiClient, "the AI SDK": aiSdkClient, LangChain: langchainClient };

describe.each(Object.entries(clients))("%s", (_name, make) => {
  const client = (): ChatClient => make({ baseUrl: `${parley.url}/api`, token });
  const failure = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );

  test("models are listed, where the client can", async () => {
    const ids = (await client().list?.()) ?? Object.values(models);
    expect(ids).toEqual(expect.arrayContaining(Object.values(models)));
  });

  describe.each([models.strict, models.loose])("with the model %s", (model) => {
    const ask = (messages: ChatMessage[], more: Partial<ChatQuestion> = {}): ChatQuestion => ({
      model,
      messages,
      ...more,
    });

    test("an answer comes whole, with its tokens", async () => {
      const answer = await client().ask(ask([user(questions.text)]));
      expect(answer).toMatchObject({ text: answers.text, calls: [], finish: "stop", tokens });
    });

    test("and streamed in pieces, with its tokens", async () => {
      const answer = await client().stream(ask([user(questions.text)]));
      expect(answer).toMatchObject({ text: answers.text, calls: [], finish: "stop", tokens });
      expect(answer.pieces).toBeGreaterThan(1);
    });

    test("thoughts are told apart, whole and streamed", async () => {
      for (const way of ["ask", "stream"] as const) {
        const answer = await client()[way](ask([user(questions.text)], { reasoning: true }));
        expect(answer.text).toBe(answers.text);
        // LangChain neither asks for thoughts nor shows any.
        expect(answer.reasoning ?? answers.reasoning).toBe(answers.reasoning);
      }
    });

    test.each([
      ["one tool is called, and its result told", questions.tool, ["Zürich"]],
      ["tools are called together, and their results told", questions.tools, ["Zürich", "Tokyo"]],
    ])("%s, whole and streamed", async (_what, question, cities) => {
      for (const way of ["ask", "stream"] as const) {
        const called = await client()[way](ask([user(question)], { tools }));
        expect(called.finish).toBe("tool_calls");
        expect(called.calls.map(({ name, arguments: given }) => ({ name, given }))).toEqual(
          cities.map((city, at) => ({ name: tools[at]!.name, given: { city } })),
        );
        expect(new Set(called.calls.map(({ id }) => id)).size).toBe(cities.length);
        const results = called.calls.map((call): ChatMessage => ({ role: "tool", call, result: `${call.name} ok` }));
        const told = [user(question), { role: "assistant" as const, calls: called.calls }, ...results];
        const answer = await client()[way](ask(told, { tools }));
        expect(answer).toMatchObject({
          text: describeResults(called.calls.map(({ name }) => `${name} ok`)),
          finish: "stop",
        });
        const sent = upstream.exchanges.at(-1)!.request.messages.filter(({ role }) => role === "tool");
        expect(sent.map(({ tool_call_id: id }) => id)).toEqual(called.calls.map(({ id }) => id));
      }
    });

    test("a picture is seen", async () => {
      const picture = { type: "image/png", base64: Buffer.from("not really a picture").toString("base64") };
      const answer = await client().ask(ask([{ role: "user", text: "What is it?", picture }]));
      expect(answer.text).toBe(describePictures([{ type: "image/png", bytes: 20 }]));
    });

    test("an answer fits the schema that was asked for", async () => {
      expect(await client().structured(ask([user(questions.text)]), parameters)).toEqual(JSON.parse(answers.json));
    });

    test("a client that leaves lets the model go", async () => {
      await client().leave(ask([user(questions.slow)]));
      const exchange = upstream.exchanges.findLast(({ request }) => JSON.stringify(request).includes(questions.slow))!;
      expect(await exchange.over).toBe("left");
    });
  });

  test("errors have the status that they have", async () => {
    const ask = (model: string): ChatQuestion => ({ model, messages: [user(questions.text)] });
    for (const way of ["ask", "stream"] as const) {
      const limited = await failure(client()[way](ask(models.limited)));
      expect(client().statusOf(limited)).toBe(answers.refusal.status);
      expect(String((limited as Error).message)).toContain(answers.refusal.message);
      expect(client().statusOf(await failure(client()[way](ask("no-such-model"))))).toBe(404);
      const stranger = make({ baseUrl: `${parley.url}/api`, token: "sk-nobody" });
      expect(stranger.statusOf(await failure(stranger[way](ask(models.strict))))).toBe(401);
    }
  });
});

describe("with what the service has beside the model", () => {
  const openai = (base = "/api") => new OpenAI({ baseURL: `${parley.url}${base}`, apiKey: token, maxRetries: 0 });

  test("a picture is named by the id of an uploaded file", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(png)], { type: "image/png" }), "pier.png");
    const headers = { authorization: `Bearer ${token}` };
    const uploaded = await fetch(`${parley.url}/api/v1/files/?process=false`, { method: "POST", headers, body: form });
    expect(uploaded.status).toBe(200);
    const { id } = (await uploaded.json()) as { id: string };
    for (const url of [id, `/api/v1/files/${id}/content`, `${parley.url}/api/v1/files/${id}/content`]) {
      const content = [{ type: "image_url" as const, image_url: { url } }];
      const answer = await openai().chat.completions.create({
        model: models.strict,
        messages: [{ role: "user", content }],
      });
      expect(answer.choices[0]?.message.content).toBe(describePictures([{ type: "image/png", bytes: png.length }]));
    }
    const attached = {
      model: models.strict,
      messages: [{ role: "user" as const, content: "?" }],
      files: [{ type: "file", id }],
    };
    const answer = await openai("/api/v1").chat.completions.create(attached);
    expect(answer.choices[0]?.message.content).toBe(describePictures([{ type: "image/png", bytes: png.length }]));
  });

  test("parameters that only some models know go on to them", async () => {
    const more = {
      n: 1,
      logprobs: true,
      top_logprobs: 2,
      seed: 7,
      top_k: 20,
      response_format: { type: "text" as const },
    };
    await openai().chat.completions.create({
      model: models.strict,
      messages: [{ role: "user", content: "?" }],
      ...more,
    });
    expect(upstream.exchanges.at(-1)!.request).toMatchObject(more);
  });
});
