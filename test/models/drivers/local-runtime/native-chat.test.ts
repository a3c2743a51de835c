import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toNativeChat } from "../../../../src/models/drivers/local-runtime/to-native-chat.ts";
import { checkStream } from "../../../grammar/chat-completions.ts";
import { startFakeRuntime, type FakeRuntime } from "../../../local-models/fake-runtime.ts";
import { counts, words } from "../../../local-models/runtime-words.ts";
import { createWorld, type Person, type World } from "../../../world.ts";

let runtime: FakeRuntime;
let world: World;
let ada: Person;
beforeEach(async () => {
  runtime = await startFakeRuntime();
  world = await createWorld({ environment: { LOCALMODEL_BASE_URLS: runtime.origin } });
  ada = await world.person();
});
afterEach(async () => {
  await world.close();
  await runtime.close();
});

const text = words.join("");
const usage = {
  prompt_tokens: counts.prompt_eval_count,
  completion_tokens: counts.eval_count,
  total_tokens: counts.prompt_eval_count + counts.eval_count,
};
const question = { model: "tiny:latest", messages: [{ role: "user", content: "Where?" }] };
const tool = { type: "function", function: { name: "look_up", parameters: { type: "object", properties: {} } } };
const ask = (more: object) => world.call("/api/chat/completions", { as: ada, json: { ...question, ...more } });
async function stream(more: object) {
  const response = await world.request("/api/chat/completions", {
    as: ada,
    json: { ...question, stream: true, stream_options: { include_usage: true }, ...more },
  });
  expect(response.status).toBe(200);
  return checkStream(new Uint8Array(await response.arrayBuffer()), { usage: true });
}
const asked = () => runtime.seen.filter(({ method }) => method === "POST").map(({ url }) => url);
const lastBody = () => JSON.parse(runtime.seen.at(-1)!.body.toString()) as Record<string, unknown>;

describe("a question with options that only the runtime's own call reads", () => {
  test("goes there, with all of its options", async () => {
    const { status, body } = await ask({ num_ctx: 16_384, temperature: 0.2, max_tokens: 50, keep_alive: "5m" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage,
    });
    expect(asked()).toEqual(["/api/chat"]);
    expect(lastBody()).toEqual({
      model: "tiny:latest",
      messages: [{ role: "user", content: "Where?" }],
      stream: false,
      keep_alive: "5m",
      options: { num_ctx: 16_384, temperature: 0.2, num_predict: 50 },
    });
  });

  test("streams in the grammar of chat completions", async () => {
    const { content, finish, usage: counted } = await stream({ top_k: 3 });
    expect(asked()).toEqual(["/api/chat"]);
    expect([content.get(0), finish.get(0), counted]).toEqual([text, "stop", expect.objectContaining(usage)]);
  });

  test("calls tools, whole and in a stream", async () => {
    const { body } = await ask({ top_k: 3, tools: [tool] });
    const [choice] = body["choices"] as { message: { tool_calls: unknown[] }; finish_reason: string }[];
    expect(choice!.finish_reason).toBe("tool_calls");
    expect(choice!.message.tool_calls).toMatchObject([{ type: "function", function: { name: "look_up" } }]);
    const { calls, finish } = await stream({ top_k: 3, tools: [tool] });
    expect(finish.get(0)).toBe("tool_calls");
    expect(calls.get(0)).toEqual([{ id: expect.any(String), name: "look_up", arguments: '{"city":"Zürich"}' }]);
  });

  test("thinks where the model does", async () => {
    runtime.intercept = ({ url }, response) => {
      if (url !== "/api/chat") return false;
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      const line = (message: object, more: object = { done: false }) =>
        response.write(
          `${JSON.stringify({ model: "tiny", message: { role: "assistant", content: "", ...message }, ...more })}\n`,
        );
      line({ thinking: "Hm. " });
      line({ thinking: "Yes." });
      line({ content: "Paris" });
      line({}, { done: true, done_reason: "length", ...counts });
      response.end();
      return true;
    };
    const { reasoning, content, finish } = await stream({ think: true, top_k: 1 });
    expect([reasoning.get(0), content.get(0), finish.get(0)]).toEqual(["Hm. Yes.", "Paris", "length"]);
  });

  test("that fails in the middle ends with the error", async () => {
    runtime.intercept = ({ url }, response) => {
      if (url !== "/api/chat") return false;
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write(`${JSON.stringify({ message: { role: "assistant", content: "Par" }, done: false })}\n`);
      response.end(`${JSON.stringify({ error: "an error was encountered while running the model" })}\n`);
      return true;
    };
    const { content, error } = await stream({ top_k: 1 });
    expect(content.get(0)).toBe("Par");
    expect(JSON.stringify(error)).toContain("running the model");
  });

  test("has the runtime's words where there is no such model, and is asked elsewhere where there is no such call", async () => {
    runtime.intercept = ({ url }, response) => {
      if (url !== "/api/chat") return false;
      response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found");
      return true;
    };
    expect((await ask({ top_k: 3 })).body).toMatchObject({ choices: [{ message: { content: text } }] });
    expect(asked()).toEqual(["/api/chat", "/v1/chat/completions"]);
    runtime.intercept = undefined;
    runtime.models = [];
    const gone = await ask({ top_k: 3 });
    expect(gone.status).toBe(404);
    expect(JSON.stringify(gone.body)).toContain("not found");
  });
});

describe("every other question", () => {
  test.each([
    ["plain parameters", { temperature: 0.1, max_tokens: 5, seed: 3 }],
    ["several answers", { top_k: 3, n: 2 }],
    ["probabilities", { top_k: 3, logprobs: true }],
  ])("goes to the call that knows it: %s", async (_, more) => {
    await ask(more);
    expect(asked()).toEqual(["/v1/chat/completions"]);
  });
});

describe("what the runtime's own call is told", () => {
  const native = (more: object) => toNativeChat({ ...question, options: { num_ctx: 9 }, ...more }, "tiny");

  test.each([
    [
      "texts and pictures of a message stand apart",
      {
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What" },
              { type: "text", text: "is it?" },
              { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
            ],
          },
        ],
      },
      { messages: [{ role: "user", content: "What\nis it?", images: ["iVBORw0KGgo="] }] },
    ],
    [
      "calls have objects for arguments, and their results the tool's name",
      {
        messages: [
          {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "c1", type: "function", function: { name: "look_up", arguments: '{"q":1}' } }],
          },
          { role: "tool", tool_call_id: "c1", content: "found" },
          { role: "developer", content: "Be brief" },
        ],
      },
      {
        messages: [
          { role: "assistant", content: "", tool_calls: [{ function: { name: "look_up", arguments: { q: 1 } } }] },
          { role: "tool", content: "found", tool_name: "look_up" },
          { role: "system", content: "Be brief" },
        ],
      },
    ],
    [
      "a schema is the format",
      { response_format: { type: "json_schema", json_schema: { schema: { type: "object" } } } },
      { format: { type: "object" } },
    ],
    ["so is any JSON", { response_format: { type: "json_object" } }, { format: "json" }],
    ["effort is thought", { reasoning_effort: "high" }, { think: "high" }],
    ["and no effort is none", { reasoning_effort: "none" }, { think: false }],
    ["its own word wins", { reasoning_effort: "high", think: false }, { think: false }],
    ["tools that may not be called are not told", { tools: [tool], tool_choice: "none" }, {}],
  ])("%s", (_, given, wanted) => {
    expect(native(given)).toEqual({
      model: "tiny",
      messages: question.messages,
      stream: false,
      options: { num_ctx: 9 },
      ...wanted,
    });
  });

  test.each([
    ["a picture somewhere else", [{ type: "image_url", image_url: { url: "https://pictures.example/a.png" } }]],
    ["sound", [{ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }]],
    ["no list", 7],
  ])("nothing, where it cannot be said there: %s", (_, content) => {
    expect(native({ messages: [{ role: "user", content }] })).toBeUndefined();
  });
});
