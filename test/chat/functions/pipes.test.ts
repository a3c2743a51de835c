import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listModels } from "../../../src/models/catalog/list-models.ts";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import { contextFor } from "../../models/context-for.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { eventsOf, textOf } from "./events-of.ts";
import { install } from "./install.ts";

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.person();
});
afterAll(() => world.close());

const question = [{ role: "user", content: "Hello" }];
const ask = <T = Completion>(model: string, more: object = {}) =>
  world.call<T>("/api/chat/completions", { as: ada, json: { model, messages: question, ...more } });
const stream = async (model: string, more: object = {}) => {
  const { body } = await ask<string>(model, { stream: true, ...more });
  return body;
};
interface Completion {
  model: string;
  choices: { message: { content: string }; finish_reason: string }[];
  usage?: unknown;
  error: { message: string; code: string };
}
const models = async (as = ada) => (await world.call<{ data: ModelEntry[] }>("/api/models", { as })).body.data;
const pipe = (body: string) => `export class Pipe { ${body} }`;

describe("what a function returns or yields", () => {
  const kinds: [name: string, body: string][] = [
    ["a text", `pipe() { return "Good morning" }`],
    ["a completion", `pipe() { return { choices: [{ message: { content: "Good morning" } }] } }`],
    ["a message", `pipe() { return { message: { role: "assistant", content: "Good morning" } } }`],
    ["an object with a content", `pipe() { return { content: "Good morning" } }`],
    ["a generator of texts", `*pipe() { yield "Good "; yield "morning" }`],
    [
      "an async generator of chunks",
      `async *pipe() {
      for (const content of ["Good", " morning"]) yield { choices: [{ delta: { content } }] };
    }`,
    ],
    [
      "lines of an event stream",
      `*pipe() {
      yield ": a comment"; yield 'data: {"choices":[{"delta":{"content":"Good morning"}}]}'; yield ""; yield "data: [DONE]";
    }`,
    ],
    [
      "pieces of an event stream, cut anywhere",
      `*pipe() {
      const text = 'data: {"choices":[{"delta":{"content":"Good "}}]}\\n\\ndata: {"choices":[{"delta":{"content":"morning"},"finish_reason":"stop"}]}\\n\\ndata: [DONE]\\n\\n';
      for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
    }`,
    ],
    [
      "text, then an event stream",
      `*pipe() {
      yield "Good"; yield 'data: {"choices":[{"delta":{"content":" morning"}}]}\\n\\n';
    }`,
    ],
    [
      "a response that streams",
      `pipe() {
      return new Response('data: {"choices":[{"delta":{"content":"Good morning"}}]}\\n\\ndata: [DONE]\\n\\n',
        { headers: { "content-type": "text/event-stream" } });
    }`,
    ],
    [
      "an event stream as one text",
      `pipe() { return 'data: {"choices":[{"delta":{"content":"Good morning"}}]}\\n\\ndata: [DONE]\\n\\n' }`,
    ],
    [
      "whatever it is asked for",
      `async pipe(body) {
      return body.stream ? (async function* () { yield "Good morning" })() : "Good morning";
    }`,
    ],
  ];
  it.each(kinds)("%s is an answer, whole and streamed", async (name, body) => {
    const id = `kind_${kinds.findIndex(([each]) => each === name)}`;
    await install(world, { id, source: pipe(body) });
    const whole = await ask(id);
    expect(whole).toMatchObject({
      status: 200,
      body: {
        object: "chat.completion",
        model: id,
        choices: [{ index: 0, message: { role: "assistant", content: "Good morning" }, finish_reason: "stop" }],
      },
    });
    const text = await stream(id);
    expect(textOf(text)).toBe("Good morning");
    const events = eventsOf(text);
    expect(events.at(-1)).toBe("[DONE]");
    const ids = new Set(
      events
        .slice(0, -1)
        .map((event) => JSON.stringify([(event as { id: string }).id, (event as { model: string }).model])),
    );
    expect(ids.size).toBe(1);
    expect(events.at(-2)).toMatchObject({ choices: [{ finish_reason: "stop" }] });
  });

  it("nothing is an empty answer", async () => {
    await install(world, { id: "nothing", source: pipe("pipe() {}") });
    expect((await ask("nothing")).body.choices).toMatchObject([{ message: { content: "" }, finish_reason: "stop" }]);
    expect(eventsOf(await stream("nothing")).at(-1)).toBe("[DONE]");
    await install(world, { id: "silent", source: pipe("*pipe() {}") });
    expect((await ask("silent")).body.choices).toMatchObject([{ message: { content: "" }, finish_reason: "stop" }]);
  });

  it("its usage is the answer's", async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    await install(world, {
      id: "counted",
      source: pipe(`*pipe() { yield "Hi"; yield { choices: [], usage: ${JSON.stringify(usage)} } }`),
    });
    expect((await ask("counted")).body.usage).toEqual(usage);
    const withUsage = eventsOf(await stream("counted", { stream_options: { include_usage: true } }));
    expect(withUsage.at(-2)).toMatchObject({ choices: [], usage });
    expect(JSON.stringify(eventsOf(await stream("counted")))).not.toContain("usage");
  });

  it("an error that it returns, or an object that is none, is no answer", async () => {
    await install(world, { id: "refusing", source: pipe(`pipe() { return { error: { message: "Out of paper" } } }`) });
    const refused = await ask("refusing");
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.body.error.message).toContain("Out of paper");
    await install(world, { id: "strange", name: "Strange", source: pipe(`pipe() { return { weather: "fine" } }`) });
    expect(await ask("strange")).toMatchObject({ status: 502, body: { error: { code: "upstream_invalid_answer" } } });
  });

  it("what it throws is a 400 in its own words, or its own status; in a stream the last event", async () => {
    await install(world, { id: "throwing", source: pipe(`pipe() { throw new Error("No paper left") }`) });
    for (const more of [{}, { stream: true }])
      expect(await ask("throwing", more)).toMatchObject({
        status: 400,
        body: { error: { message: "No paper left", code: "plugin_failed" } },
      });
    await install(world, {
      id: "limited",
      source: pipe(`pipe() { throw Object.assign(new Error("Come back later"), { status: 429 }) }`),
    });
    expect((await ask("limited")).status).toBe(429);
    await install(world, { id: "breaking", source: pipe(`*pipe() { yield "Hel"; throw new Error("No ink left") }`) });
    const events = eventsOf(await stream("breaking"));
    expect(events.at(-1)).toMatchObject({ error: { message: "No ink left", code: "plugin_failed", status: 400 } });
    expect(events).not.toContain("[DONE]");
    expect(await ask("breaking")).toMatchObject({ status: 400, body: { error: { message: "No ink left" } } });
  });

  it("a caller who leaves ends it", async () => {
    await install(world, {
      id: "endless",
      source: pipe(`async *pipe() { for (let n = 0; ; n++) yield String(n % 10) }`),
    });
    const controller = new AbortController();
    const response = await world.request("/api/chat/completions", {
      as: ada,
      json: { model: "endless", messages: question, stream: true },
      signal: controller.signal,
    });
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    await world.settled();
  });
});

describe("what a function is told", () => {
  it("the body as at the peer, who asks, and where", async () => {
    const parameters =
      "__user__, __metadata__, __model__, __messages__, __files__, __chat_id__, __session_id__, __message_id__, __task__, __features__, __id__, __body__, __request__, __tools__";
    await install(world, {
      id: "telling",
      name: "Telling",
      source: `export class UserValves { tone = "calm" }
        export class Pipe { pipes() { return [{ id: "a", name: "A" }] }
        pipe(body, ${parameters}) { return JSON.stringify({ body, ${parameters} }) } }`,
    });
    await world.call("/api/v1/functions/id/telling/valves/user/update", { as: ada, json: { tone: "loud" } });
    const { body } = await ask("telling.a", {
      temperature: 0.5,
      features: { memory: true },
      chat_id: "temporary:1",
      id: "m1",
      metadata: { own: "1" },
    });
    const said = JSON.parse(body.choices[0]!.message.content) as Record<string, Record<string, unknown>>;
    expect(said.body).toEqual({
      model: "telling.a",
      messages: question,
      stream: false,
      temperature: 0.5,
      metadata: { own: "1" },
    });
    expect(said).toMatchObject({
      __user__: { id: ada.id, name: "Ada", email: ada.email, role: "user", valves: { tone: "loud" } },
      __metadata__: {
        user_id: ada.id,
        chat_id: "temporary:1",
        message_id: "m1",
        features: { memory: true },
        model: { id: "telling.a" },
      },
      __model__: { id: "telling.a", name: "A", pipe: { type: "pipe" } },
      __messages__: question,
      __body__: said.body,
      __files__: [],
      __chat_id__: "temporary:1",
      __message_id__: "m1",
      __session_id__: null,
      __task__: null,
      __features__: { memory: true },
      __id__: "telling",
      __tools__: {},
    });
    expect(JSON.stringify(said)).not.toContain(ada.token);
  });

  it("of a made model the base's id, with its parameters", async () => {
    await install(world, { id: "echo_body", source: pipe("pipe(body) { return JSON.stringify(body) }") });
    await world.call("/api/v1/models/create", {
      as: await world.admin(),
      json: {
        id: "formal",
        name: "Formal",
        base_model_id: "echo_body",
        params: { system: "Be formal", temperature: 0.1 },
        access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
      },
    });
    const { body } = await ask("formal");
    expect(body.model).toBe("echo_body");
    expect(JSON.parse(body.choices[0]!.message.content)).toMatchObject({
      model: "echo_body",
      temperature: 0.1,
      messages: [{ role: "system", content: "Be formal" }, ...question],
    });
  });
});

describe("functions among the models", () => {
  it("one model, or those of a manifold: listed or asked for, with the name's prefix", async () => {
    await install(world, { id: "single", name: "Single", source: pipe(`pipe() { return "x" }`) });
    await install(world, {
      id: "listed",
      source: pipe(
        `name = "Shop: "; pipes = [{ id: "a", name: "Apples" }, { id: "b.c", name: "Bread" }]; pipe(body) { return body.model }`,
      ),
    });
    await install(world, {
      id: "asked",
      source: pipe(
        `name = "Asked "; async pipes() { return [{ id: "x", name: "X" }, { id: "", name: "none" }, 5] } pipe(body) { return body.model }`,
      ),
    });
    const found = new Map((await models()).map((model) => [model.id, model]));
    expect(found.get("single")).toMatchObject({ name: "Single", owned_by: "openai", pipe: { type: "pipe" } });
    expect(found.get("listed.a")).toMatchObject({ name: "Shop: Apples" });
    expect(found.get("listed.b.c")).toMatchObject({ name: "Shop: Bread" });
    expect(found.get("asked.x")).toMatchObject({ name: "Asked X" });
    expect([...found.keys()].filter((id) => id.startsWith("asked"))).toEqual(["asked.x"]);
    expect(found.has("listed")).toBe(false);
    for (const id of ["listed.b.c", "asked.x"]) expect((await ask(id)).body.choices[0]!.message.content).toBe(id);
    for (const id of ["listed", "listed.z", "asked.y", "singleton"]) expect((await ask(id)).status).toBe(404);
  });

  it("are found cold without asking anybody else, and known by their id alone when warm", async () => {
    await ask("listed.a");
    world.roundTrips.reset();
    expect((await ask("listed.a")).status).toBe(200);
    expect(world.roundTrips.count).toBe(1);
  });

  it("one that cannot list its models is named, and the others are there", async () => {
    await install(world, {
      id: "lost",
      name: "Lost",
      source: pipe(`pipes() { throw new Error("no list") } pipe() { return "x" }`),
    });
    const response = await world.request("/api/models", { as: ada });
    expect(response.headers.get("x-parley-unreachable")).toBe("Lost");
    expect(((await response.json()) as { data: ModelEntry[] }).data.map(({ id }) => id)).toContain("single");
    expect((await ask("lost.a")).status).toBe(404);
    await world.call("/api/v1/functions/id/lost/toggle", { as: await world.admin(), json: {} });
  });

  it("one whose list took too long is asked again by who names a model of it", async () => {
    await install(world, {
      id: "slow",
      name: "Slow",
      source: pipe(
        `static asked = 0; async pipes() { if (Pipe.asked++ === 0) await new Promise(() => {}); return [{ id: "a", name: "A" }] } pipe() { return "x" }`,
      ),
    });
    const { unreachable } = await listModels(await contextFor(world, ada), { budgetMs: 500 });
    expect(unreachable).toContain("Slow");
    expect((await ask("slow.a")).status).toBe(200);
    expect((await models()).map(({ id }) => id)).toContain("slow.a");
  });

  it("follow grants and switches like all models", async () => {
    const admin = await world.admin();
    const bob = await world.person({ name: "Bob" });
    await world.call("/api/v1/models/model/access/update", {
      as: admin,
      json: {
        id: "listed.a",
        name: "Apples",
        access_grants: [{ principal_type: "user", principal_id: bob.id, permission: "read" }],
      },
    });
    expect((await models()).map(({ id }) => id)).not.toContain("listed.a");
    expect((await ask("listed.a")).status).toBe(404);
    expect((await models(bob)).map(({ id }) => id)).toContain("listed.a");
    expect((await models(admin)).map(({ id }) => id)).toContain("listed.a");
    await world.call("/api/v1/functions/id/listed/toggle", { as: admin, json: {} });
    expect((await models(admin)).map(({ id }) => id)).not.toContain("listed.b.c");
    expect((await ask("listed.b.c")).status).toBe(404);
  });

  it("are gone in safe mode and where plugins are off; then the guide is back", async () => {
    for (const environment of [{ SAFE_MODE: "true" }, { ENABLE_PLUGINS: "false" }]) {
      const other = await createWorld({
        environment,
        services: { db: world.db, lookup: world.services.lookup, tokens: world.services.tokens },
      });
      const { body } = await other.call<{ data: ModelEntry[] }>("/api/models", { as: ada });
      expect(body.data.map(({ id }) => id)).toEqual(["parley-guide"]);
      expect(
        (await other.call("/api/chat/completions", { as: ada, json: { model: "single", messages: question } })).status,
      ).toBe(404);
      await other.close();
    }
    expect((await models()).map(({ id }) => id)).not.toContain("parley-guide");
  });
});
