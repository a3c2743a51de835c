import OpenAI, { APIError, APIUserAbortError, AuthenticationError, NotFoundError, RateLimitError } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faults } from "../fixtures/upstreams/faults.ts";
import { providers } from "../fixtures/upstreams/providers.ts";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { startParley, type Parley } from "./start-parley.ts";

/** The service as it is started, in front of recorded answers of real providers, seen by the `openai` package. */
const key = "sk-upstream-0123456789abcdef";
let upstream: ReplayServer;
let parley: Parley;
let token: string;

beforeAll(async () => {
  upstream = await startReplayServer({ key });
  upstream.models = [...Object.keys(providers), ...Object.keys(faults)];
  parley = await startParley({ env: { OPENAI_API_BASE_URLS: upstream.url, OPENAI_API_KEYS: key } });
  const response = await fetch(`${parley.url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", email: "ada@example.com", password: "correct horse battery" }),
  });
  ({ token } = (await response.json()) as { token: string });
});
afterAll(async () => {
  await parley?.stop();
  await upstream?.close();
});

const client = (base = "/api", apiKey = token) =>
  new OpenAI({ baseURL: `${parley.url}${base}`, apiKey, maxRetries: 0 });
const ask = (model: string) => ({
  model,
  messages: [{ role: "user" as const, content: "What is the capital of France?" }],
});

describe.each(["/api", "/api/v1"])("with the base URL %s", (base) => {
  test("models are listed", async () => {
    const ids = (await client(base).models.list()).data.map((model) => model.id);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(providers)));
  });

  test("a completion comes whole", async () => {
    const completion = await client(base).chat.completions.create(ask("openai"));
    expect(completion.choices[0]!.message).toMatchObject({ role: "assistant", content: providers["openai"]!.content });
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
  });
});

describe.each(Object.entries(providers))("answers in the manner of %s", (model, recorded) => {
  test("stream, with usage only if asked", async () => {
    let content = "";
    const finishes: string[] = [];
    let usage: number | null = null;
    for await (const chunk of await client().chat.completions.create({
      ...ask(model),
      stream: true,
      stream_options: { include_usage: true },
    })) {
      const first = chunk.choices.find((choice) => choice.index === 0);
      content += first?.delta.content ?? "";
      if (first?.finish_reason) finishes.push(first.finish_reason);
      usage = chunk.usage?.total_tokens ?? usage;
    }
    expect(content).toBe(recorded.content);
    expect(finishes).toEqual([recorded.finishReason]);
    expect(usage).toBe(recorded.streamTokens);
  });

  test("come whole", async () => {
    const completion = await client().chat.completions.create(ask(model));
    expect(completion.choices[0]!.message.content ?? "").toBe(recorded.content);
    expect(completion.choices[0]!.finish_reason).toBe(recorded.finishReason);
  });
});

describe("failures are typed", () => {
  test("a wrong token", async () => {
    await expect(client("/api", "not-a-token").models.list()).rejects.toBeInstanceOf(AuthenticationError);
  });

  test("an unknown model", async () => {
    const error = await client()
      .chat.completions.create(ask("no-such-model"))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: "model_not_found", param: "model" });
  });

  test("the provider's own status, code and message", async () => {
    const limited = await client()
      .chat.completions.create(ask("fault-429"))
      .catch((thrown: unknown) => thrown);
    expect(limited).toBeInstanceOf(RateLimitError);
    expect((limited as APIError).headers?.get("retry-after")).toBe("7");
    const refused = await client()
      .chat.completions.create({ ...ask("fault-400"), stream: true })
      .catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ status: 400, code: "unsupported_value", param: "temperature" });
  });

  test("a key that the provider refuses is no lost session, and is not shown", async () => {
    const error = (await client()
      .chat.completions.create(ask("fault-401"))
      .catch((thrown: unknown) => thrown)) as APIError;
    expect(error.status).toBe(502);
    expect(JSON.stringify(error.error)).not.toContain(key);
  });

  test("a stream that just stops", async () => {
    let content = "";
    const read = async () => {
      for await (const chunk of await client().chat.completions.create({ ...ask("fault-stop"), stream: true }))
        content += chunk.choices[0]?.delta.content ?? "";
    };
    await expect(read()).rejects.toBeInstanceOf(APIError);
    expect(content).toBe("Hello");
  });
});

describe("a caller who goes away ends the call to the provider", () => {
  test("before the first byte, without streaming", async () => {
    const asked = upstream.nextRequest();
    const abort = new AbortController();
    const call = client().chat.completions.create(ask("fault-hang"), { signal: abort.signal });
    const request = await asked;
    abort.abort();
    await expect(call).rejects.toBeInstanceOf(APIUserAbortError);
    await request.over;
    expect(request.aborted).toBe(true);
  });

  test("before the first byte of a stream", async () => {
    const asked = upstream.nextRequest();
    const abort = new AbortController();
    const call = client().chat.completions.create({ ...ask("fault-hang"), stream: true }, { signal: abort.signal });
    const request = await asked;
    abort.abort();
    await expect(call).rejects.toBeInstanceOf(APIUserAbortError);
    await request.over;
    expect(request.aborted).toBe(true);
  });

  test("in the middle of a stream", async () => {
    const asked = upstream.nextRequest();
    const stream = await client().chat.completions.create({ ...ask("fault-hang-middle"), stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === "lo") break;
    const request = await asked;
    await request.over;
    expect(request.aborted).toBe(true);
  });
});
