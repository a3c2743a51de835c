import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PythonHost, type PythonOptions, type PythonResult, readFixture, startPythonHost } from "./python-host.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

let host: PythonHost;
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
  host = await startPythonHost(upstream.host);
}, 120_000);

afterAll(async () => {
  await host.stop();
  await upstream.stop();
});

const call = (name: string, method: string, args: Record<string, unknown> = {}, options: PythonOptions = {}) =>
  host.call(readFixture(name), method, args, options);
const ask = (content: unknown, more: object = {}) => ({
  body: { model: "m", messages: [{ role: "user", content }], ...more },
});
const ada = { id: "u1", name: "Ada", email: "ada@example.com", role: "user" };
const info = async (name: string) => {
  const { info, problems } = await host.describe(readFixture(name));
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return info!;
};
const logged = (result: PythonResult) => result.logs.map(({ level, text }) => `${level}: ${text}`);

describe("pipes written for the peer", { timeout: 60_000 }, () => {
  it("answers with a text, from a synchronous function", async () => {
    expect(await info("echo_pipe")).toMatchObject({
      type: "pipe",
      language: "python",
      hooks: ["pipe"],
      manifest: { title: "Echo", author: "ada", license: "MIT" },
      valvesSchema: { properties: { MAX_LENGTH: { type: "integer", minimum: 1, maximum: 1000, default: 100 } } },
      valveDefaults: { PREFIX: "Echo: ", MAX_LENGTH: 100 },
      pipes: null,
    });
    expect(await call("echo_pipe", "pipe", ask("Hello"))).toMatchObject({
      ok: true,
      value: "Echo: Hello",
      streamed: false,
    });
    const valves = { PREFIX: "> ", MAX_LENGTH: 2 };
    expect(await call("echo_pipe", "pipe", ask("Hello"), { valves })).toMatchObject({ value: "> He" });
  });

  it("is a manifold, of a list or of what another service has", async () => {
    const pipes = [
      { id: "loud", name: "Loud" },
      { id: "quiet", name: "Quiet" },
    ];
    expect(await info("manifold_static")).toMatchObject({ pipes, namePrefix: "voices/" });
    expect(await call("manifold_static", "pipes")).toMatchObject({ value: pipes });
    expect(await call("manifold_static", "pipe", ask("Hm", { model: "voices.loud" }))).toMatchObject({ value: "HM" });
    expect(await info("openai_manifold")).toMatchObject({ pipes: null, hooks: ["pipe", "pipes"] });
    expect(await call("openai_manifold", "pipes")).toMatchObject({ value: [{ id: "error" }] });
    const options = {
      hosts: [upstream.host],
      valves: { OPENAI_API_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: "sk-1" },
    };
    expect(await call("openai_manifold", "pipes", {}, options)).toMatchObject({
      value: [
        { id: "gpt-x", name: "OPENAI/X" },
        { id: "gpt-y", name: "OPENAI/gpt-y" },
      ],
    });
    const { value, logs } = (await call("openai_manifold", "pipes", {}, { ...options, hosts: [] })) as PythonResult & {
      value: unknown;
    };
    expect(value).toMatchObject([{ id: "error", name: "Error fetching models. Please check your API Key." }]);
    expect(logs[0]?.text).toContain("no allowed hosts");
  });

  it("hands the lines of another service on, or its whole answer", async () => {
    const valves = { OPENAI_API_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: "sk-1" };
    const options: PythonOptions = { hosts: [upstream.host], valves, streams: true, reserved: { __user__: ada } };
    const streamed = await call("openai_manifold", "pipe", ask("?", { model: "p.gpt-x", stream: true }), options);
    expect(streamed).toMatchObject({ ok: true, streamed: true });
    expect(streamed.chunks).toEqual(['data: {"choices":[{"delta":{"content":"Grüße"}}]}', "data: [DONE]"]);
    expect(await call("openai_manifold", "pipe", ask("?", { model: "p.gpt-x", stream: false }), options)).toMatchObject(
      {
        streamed: false,
        value: { model: "gpt-x", choices: [{ message: { content: "whole" } }] },
      },
    );
    const wrong = { ...options, valves: { ...valves, OPENAI_API_KEY: "sk-2" } };
    expect(await call("openai_manifold", "pipe", ask("?", { stream: true }), wrong)).toMatchObject({
      value: expect.stringContaining("401 Client Error") as string,
    });
  });

  it("turns messages into those of another protocol", async () => {
    const options: PythonOptions = { hosts: [upstream.host], valves: { BASE_URL: upstream.url }, streams: true };
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const messages = [
      { role: "system", content: "Be kind" },
      { role: "user", content: [{ type: "text", text: "What is this?" }, image] },
    ];
    const whole = (await call("anthropic_pipe", "pipe", { body: { model: "a.claude-a", messages } }, options)) as {
      value: string;
    } & PythonResult;
    expect(JSON.parse(whole.value)).toEqual({
      system: "Be kind",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ],
        },
      ],
    });
    const { chunks } = await call(
      "anthropic_pipe",
      "pipe",
      { body: { model: "a.claude-a", messages, stream: true } },
      options,
    );
    expect(chunks).toEqual(["one ", "two"]);
  });

  it("streams from an asynchronous generator, with status events in between", async () => {
    const result = await call("async_generator_pipe", "pipe", ask("?"), { streams: true });
    const comma = { choices: [{ delta: { content: ", " } }] };
    expect(result.chunks).toEqual(["1", comma, "2", comma, "3", comma]);
    expect(result.events).toEqual([
      { type: "status", data: { description: "Counting", done: false } },
      { type: "status", data: { description: "Counted", done: true } },
    ]);
    expect(await call("async_generator_pipe", "pipe", ask("?"), { valves: { steps: 1 } })).toMatchObject({
      streamed: false,
      value: ["1", comma],
    });
  });

  it("passes a streaming response through line by line", async () => {
    const options = (path: string): PythonOptions => ({
      hosts: [upstream.host],
      valves: { url: `${upstream.url}${path}` },
      streams: true,
      reserved: { __request__: { method: "POST", url: "https://chat.example/api/chat/completions", headers: {} } },
    });
    const result = await call(
      "streaming_response_pipe",
      "pipe",
      { body: { stream: true, messages: [] } },
      options("/v1/messages"),
    );
    expect(result.chunks).toContain('data: {"type":"message_stop"}');
    expect(result.chunks).toContain("event: content_block_delta");
    expect(await call("streaming_response_pipe", "pipe", ask("?"), options("/elsewhere"))).toMatchObject({
      value: { path: "/elsewhere", headers: { "x-path": "/api/chat/completions" } },
    });
    expect(await call("streaming_response_pipe", "pipe", ask("?"), options("/missing"))).toMatchObject({
      ok: false,
      error: {
        code: "threw",
        name: "ClientResponseError",
        message: expect.stringContaining("404") as string,
        line: 32,
      },
    });
  });

  it("wraps another model, as the person who asks", async () => {
    const completion = {
      id: "c1",
      model: "llama3.2:latest",
      choices: [{ message: { role: "assistant", content: "Yes" } }],
    };
    const rights = { "user.get": ada, "completion.create": completion };
    const options = { rights, reserved: { __user__: ada }, streams: true };
    const result = await call("wrapping_pipe", "pipe", ask("Is it?"), options);
    expect(result).toMatchObject({ value: "Ada hears: Yes" });
    expect(result.requests).toEqual([
      ["user.get", { id: "u1" }],
      [
        "completion.create",
        { body: { model: "llama3.2:latest", messages: [{ role: "user", content: "Is it?" }], stream: false } },
      ],
    ]);
    const streamed = await call("wrapping_pipe", "pipe", ask("?", { stream: true }), options);
    expect(streamed.chunks.map((line) => String(line).slice(0, 12))).toEqual([
      'data: {"id":',
      'data: {"id":',
      "data: [DONE]",
    ]);
    expect(await call("wrapping_pipe", "pipe", ask("?"), { ...options, rights: { "user.get": ada } })).toMatchObject({
      ok: false,
      error: { name: "RuntimeError", message: "Not found" },
    });
  });

  it("lets look-ups be awaited, as newer versions of the peer want it", async () => {
    const chat = { id: "c1", title: "Harbour", user_id: "u1", chat: { history: { messages: { a: {}, b: {} } } } };
    const rights = {
      "user.get": ({ id }: { id: string }) => {
        if (id !== "u1") throw new Error("Not found");
        return ada;
      },
      "chat.get": chat,
      "model.list": [{ id: "x", name: "X" }],
    };
    const reserved = { __user__: ada, __chat_id__: "c1" };
    expect(await call("awaiting_pipe", "pipe", ask("?"), { rights, reserved })).toMatchObject({
      value: ["user", "Harbour", 2, ["x"], null],
    });
  });

  it("asks, and goes on with the answers", async () => {
    const done = await call("asking_pipe", "pipe", ask("?"), { answers: [true, "the harbour"] });
    expect(done).toMatchObject({ value: "Done for the harbour" });
    expect(done.questions).toMatchObject([{ type: "confirmation" }, { type: "input" }]);
    const cancelled = await call("asking_pipe", "pipe", ask("?"), { answers: [false] });
    expect(cancelled).toMatchObject({ value: "Cancelled", events: [{ type: "notification" }] });
    expect(await call("asking_pipe", "pipe", ask("?"), { reserved: { __event_call__: null } })).toMatchObject({
      value: "Nobody to ask",
    });
  });

  it("remembers between calls, and keeps calls at the same time apart", async () => {
    const reserved = { __user__: ada };
    const results = await Promise.all([1, 2, 3].map((n) => call("stateful_pipe", "pipe", ask(n), { reserved })));
    const values = results.map((result) => (result as unknown as { value: { calls: number } }).value);
    // Each says how many had begun when it ended; on a busy machine the first may have ended before the last began.
    const counts = values.map(({ calls }) => calls).toSorted();
    expect(counts.every((calls) => calls >= 1 && calls <= 3)).toBe(true);
    expect(counts.at(-1)).toBe(3);
    expect(await call("stateful_pipe", "pipe", ask(4), { reserved: { __user__: { ...ada, id: "u2" } } })).toMatchObject(
      {
        value: { calls: 4, own: 1, square: 16 },
      },
    );
  });

  it("keeps a valve encrypted in a type of its own", async () => {
    expect(await info("encrypted_valves")).toMatchObject({
      valvesSchema: { properties: { API_KEY: { type: "string", input: { type: "password" } } } },
      valveDefaults: { API_KEY: "", TIMEOUT: 300 },
    });
    const result = await call("encrypted_valves", "pipe", ask("?"), {
      valves: { API_KEY: "sk-secret", TIMEOUT: null },
    });
    expect(result).toMatchObject({ value: { stored: "encrypted:", plain: "sk-secret", timeout: 300 } });
    expect(logged(result)).toEqual(["info: asked"]);
  });
});
