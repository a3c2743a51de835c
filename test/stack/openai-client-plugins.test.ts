import OpenAI, { APIError, BadRequestError, PermissionDeniedError, UnprocessableEntityError } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FerryServer, startFerryServer } from "../fixtures/tool-servers/ferry-server.ts";
import {
  lastQuestion,
  type ScriptedRequest,
  type ScriptedUpstream,
  startScriptedUpstream,
} from "../fixtures/upstreams/scripted-upstream.ts";
import { type Parley, startParley } from "./start-parley.ts";

/** What plugins do to the completions of a program that knows nothing of them, seen by the `openai` package. */

const pipe = `"""
title: Echo
"""
class Pipe:
    async def pipe(self, body: dict, __user__: dict):
        said = body["messages"][-1]["content"]
        if said == "fail":
            raise ValueError("The rope broke")
        if said == "break":
            return self.torn()
        if not body.get("stream"):
            return f"{__user__['name']} said {said}, whole"
        return self.speak(f"{__user__['name']} said {said}, in pieces")

    async def speak(self, text):
        for word in text.split(" "):
            yield word + " "

    async def torn(self):
        yield "Half "
        raise ValueError("The rope broke")
`;
const asking = `"""
title: Asking
"""
class Pipe:
    async def pipe(self, body: dict, __event_call__=None):
        try:
            return str(await __event_call__({"type": "confirmation", "data": {"title": "Sure?", "message": "?"}}))
        except Exception as error:
            return f"Nobody: {error}"
`;
const warden = `"""
title: Warden
"""
from fastapi import HTTPException

class Filter:
    def __init__(self):
        self.toggle = True

    def inlet(self, body: dict) -> dict:
        said = body["messages"][-1]["content"]
        for status in (400, 403, 422, 429):
            if said == f"refuse {status}":
                raise HTTPException(status_code=status, detail=f"No entry ({status})")
        if said == "refuse plainly":
            raise Exception("No entry at all")
        return body

    def stream(self, event: dict):
        text = "".join((choice.get("delta") or {}).get("content") or "" for choice in event.get("choices", []))
        if "secret" in text:
            return None
        if "trip" in text:
            raise ValueError("tripped")
        return event
`;
const tools = `"""
title: Sums
"""
class Tools:
    def add(self, a: int, b: int) -> int:
        """
        Adds two numbers.
        :param a: one
        :param b: the other
        """
        return a + b
`;

let upstream: ScriptedUpstream;
let ferries: FerryServer;
let parley: Parley;
let token = "";

async function call<T = Record<string, unknown>>(path: string, json: unknown): Promise<T> {
  const response = await fetch(parley.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(json),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Asks for what it was told: `tools` calls all that it has, and says what they returned. */
function worker(request: ScriptedRequest) {
  const results = request.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  if (results.length > 0) return { content: `Results: ${results.join(" | ")}` };
  const question = lastQuestion(request);
  if (question !== "tools" || !request.tools?.length) return { content: question };
  const args: Record<string, Record<string, unknown>> = {
    add: { a: 2, b: 40 },
    find_ferries: { harbour: "Quay", after: "9:00" },
  };
  return {
    calls: request.tools.map((tool) => ({ name: tool.function.name, arguments: args[tool.function.name] ?? {} })),
  };
}

beforeAll(async () => {
  [upstream, ferries] = await Promise.all([startScriptedUpstream({ worker }), startFerryServer()]);
  parley = await startParley({ env: { OPENAI_API_BASE_URLS: upstream.url, OPENAI_API_KEYS: "sk-upstream" } });
  const account = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
  ({ token } = await call<{ token: string }>("/api/v1/auths/signup", account));
  for (const [id, content] of [
    ["echo", pipe],
    ["asking", asking],
    ["warden", warden],
  ] as const) {
    await call("/api/v1/functions/create", { id, name: id, content, meta: {} });
    await call(`/api/v1/functions/id/${id}/toggle`, {});
  }
  await call("/api/v1/functions/id/warden/toggle/global", {});
  await call("/api/v1/tools/create", { id: "sums", name: "Sums", content: tools, meta: {} });
});
afterAll(async () => {
  await parley?.stop();
  await Promise.all([upstream?.close(), ferries?.close()]);
});

const client = () => new OpenAI({ baseURL: `${parley.url}/api`, apiKey: token, maxRetries: 0 });
const ask = (model: string, content: string, more: object = {}) => ({
  model,
  messages: [{ role: "user" as const, content }],
  ...more,
});

interface Streamed {
  content: string;
  finishes: string[];
  /** Of tools: pieces of one have the same index. */
  calls: number;
}
async function stream(model: string, content: string, more: object = {}): Promise<Streamed> {
  const all: Streamed = { content: "", finishes: [], calls: 0 };
  const indices = new Set<number>();
  for await (const chunk of await client().chat.completions.create({ ...ask(model, content, more), stream: true })) {
    for (const { delta, finish_reason: reason } of chunk.choices) {
      all.content += delta.content ?? "";
      for (const { index } of delta.tool_calls ?? []) indices.add(index);
      if (reason) all.finishes.push(reason);
    }
  }
  return { ...all, calls: indices.size };
}
const failure = (doing: Promise<unknown>) =>
  doing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

describe("a pipe as a model", () => {
  test("is listed, and answers whole and in pieces", async () => {
    const ids = (await client().models.list()).data.map((model) => model.id);
    expect(ids).toEqual(expect.arrayContaining(["worker", "echo", "asking"]));
    const whole = await client().chat.completions.create(ask("echo", "ahoy"));
    expect(whole).toMatchObject({
      object: "chat.completion",
      model: "echo",
      choices: [{ message: { role: "assistant", content: "Ada said ahoy, whole" }, finish_reason: "stop" }],
    });
    expect(await stream("echo", "ahoy")).toEqual({
      content: "Ada said ahoy, in pieces ",
      finishes: ["stop"],
      calls: 0,
    });
  });

  test("that fails is an error with the words of its exception, also in the middle", async () => {
    const error = await failure(client().chat.completions.create(ask("echo", "fail")));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({
      code: "plugin_failed",
      message: expect.stringContaining("The rope broke") as string,
    });
    expect(await failure(stream("echo", "fail"))).toBeInstanceOf(APIError);
    const torn = await failure(stream("echo", "break"));
    expect(torn).toBeInstanceOf(APIError);
    expect((torn as APIError).message).toContain("The rope broke");
  });

  test("that asks where no tab is open learns that nobody is there", async () => {
    const begin = performance.now();
    const answer = await client().chat.completions.create(ask("asking", "go"));
    expect(answer.choices[0]!.message.content).toMatch(/^Nobody: /u);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });
});

describe("tools that the request names", () => {
  test("are called by the service, whole and streamed alike", async () => {
    const server = await call<{ id: string }>("/api/v1/tool-servers", { name: "Ferries", url: ferries.origin });
    const more = { tool_ids: ["sums", `server:${server.id}`] };
    const said = 'Results: 42 | {"ferries":[{"name":"Aurora","leaves":"21:40"}]}';
    const whole = await client().chat.completions.create(ask("worker", "tools", more));
    expect(whole.choices).toMatchObject([{ message: { content: said }, finish_reason: "stop" }]);
    expect(whole.choices[0]!.message.tool_calls ?? []).toEqual([]);
    expect(await stream("worker", "tools", more)).toEqual({ content: said, finishes: ["stop"], calls: 0 });
    expect(ferries.calls).toMatchObject([
      { path: "/harbours/Quay/ferries", body: { after: "9:00" } },
      { path: "/harbours/Quay/ferries", body: { after: "9:00" } },
    ]);
    expect(ferries.calls[0]!.headers).not.toHaveProperty("x-service-user-email");
  });

  test("of the client pass through untouched", async () => {
    const own = { type: "function" as const, function: { name: "my_own", parameters: { type: "object" } } };
    const more = { tools: [own], tool_ids: ["sums"] };
    const whole = await client().chat.completions.create(ask("worker", "tools", more));
    expect(whole.choices).toMatchObject([
      { message: { tool_calls: [{ function: { name: "my_own" } }] }, finish_reason: "tool_calls" },
    ]);
    expect(await stream("worker", "tools", more)).toMatchObject({ finishes: ["tool_calls"], calls: 1 });
    expect(upstream.requests.at(-1)!.tools).toEqual([own]);
  });

  test("may be unknown, and the model still answers", async () => {
    const answer = await client().chat.completions.create(ask("worker", "ahoy", { tool_ids: ["nothing"] }));
    expect(answer.choices[0]!.message.content).toBe("ahoy");
  });
});

describe("a filter", () => {
  const on = { filter_ids: ["warden"] };

  test.each([
    ["refuse 400", BadRequestError, "No entry (400)"],
    ["refuse 403", PermissionDeniedError, "No entry (403)"],
    ["refuse 422", UnprocessableEntityError, "No entry (422)"],
    ["refuse 429", OpenAI.RateLimitError, "No entry (429)"],
    ["refuse plainly", BadRequestError, "No entry at all"],
  ])("that refuses (%s) is a typed error, and the provider is not asked", async (words, kind, message) => {
    const before = upstream.requests.length;
    for (const streamed of [false, true]) {
      const error = await failure(client().chat.completions.create({ ...ask("worker", words, on), stream: streamed }));
      expect(error).toBeInstanceOf(kind);
      expect((error as APIError).message).toContain(message);
    }
    expect(upstream.requests.length).toBe(before);
  });

  test("drops events of a stream, and one that raises does not end it", async () => {
    expect((await stream("worker", "a secret word", on)).content).toBe("a word");
    expect(await stream("worker", "do not trip here", on)).toMatchObject({
      content: "do not here",
      finishes: ["stop"],
    });
    expect((await stream("worker", "a secret word")).content).toBe("a secret word");
    const whole = await client().chat.completions.create(ask("worker", "a plain word", on));
    expect(whole.choices[0]!.message.content).toBe("a plain word");
  });
});
