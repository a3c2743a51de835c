import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AnswerText } from "../../../src/chat/answer-text.ts";
import type { ChatResponse, WireMessage } from "../../../src/chat/conversations/schema.ts";
import { runTurn, type TurnEnd } from "../../../src/chat/run-turn.ts";
import { newId } from "../../../src/lib/id.ts";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import type { RunStart } from "../../../src/ports.ts";
import { providers } from "../../fixtures/upstreams/providers.ts";
import { startReplayServer, type ReplayServer } from "../../fixtures/upstreams/replay-server.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { eventsOf, textOf } from "./events-of.ts";
import { install } from "./install.ts";

/** What the upstream answers to everything, whole and streamed. */
const answered = providers["openai"]!.content;

let world: World;
let upstream: ReplayServer;
let ada: Person;

beforeAll(async () => {
  upstream = await startReplayServer();
  upstream.models = [...Object.keys(providers), "fault-429"];
});
afterAll(() => upstream.close());

/** Each test has functions of its own. */
beforeEach(async () => {
  upstream.requests.length = 0;
  world = await createWorld({ environment: { OPENAI_API_BASE_URLS: upstream.url } });
  ada = await world.person();
  return () => world.close();
});

const question = [{ role: "user", content: "What is the capital of France?" }];
interface Completion {
  choices: { message: { content: string } }[];
  error: { message: string; code: string };
}
const ask = <T = Completion>(more: object = {}, path = "/api/chat/completions") =>
  world.call<T>(path, { as: ada, json: { model: "openai", messages: question, ...more } });
const asked = () => upstream.requests.filter(({ path }) => path.endsWith("/chat/completions"));
const filter = (body: string) => `export class Filter { ${body} }`;
const marking = (mark: string, priority = 0) => `export class Valves { priority = ${priority} }
  export class Filter { inlet(body) { body.messages.at(-1).content += "${mark}"; return body } }`;

describe("inlet filters", () => {
  it("change what the model is asked, by returning a body or by changing the one they get", async () => {
    await install(world, { id: "returning", source: filter(`inlet(body) { return { ...body, temperature: 0.3 } }`) });
    await install(world, {
      id: "mutating",
      source: filter(`inlet(body) { body.messages.unshift({ role: "system", content: "Be brief" }) }`),
    });
    for (const stream of [false, true]) {
      const { status } = await ask({ stream });
      expect(status).toBe(200);
      expect(asked().at(-1)!.body).toMatchObject({
        temperature: 0.3,
        stream,
        messages: [{ role: "system", content: "Be brief" }, ...question],
      });
      expect(asked().at(-1)!.body).not.toHaveProperty("metadata");
    }
  });

  it("run by priority, then by id, also where a valve sets the priority", async () => {
    await install(world, { id: "b", source: marking("b") });
    await install(world, { id: "c", source: marking("c", -5) });
    await install(world, { id: "a", source: marking("a") });
    await install(world, { id: "d", source: marking("d"), valves: { priority: -9 } });
    await ask();
    expect(asked().at(-1)!.body!["messages"]).toEqual([{ role: "user", content: `${question[0]!.content}dcab` }]);
  });

  it("refuse with a 4xx in their own words, and nothing is asked of a model", async () => {
    await install(world, {
      id: "gate",
      source: filter(`inlet(body) {
        const { content } = body.messages.at(-1);
        if (content === "limit") throw Object.assign(new Error("Too many questions"), { status: 429 });
        if (content === "odd") return { nothing: true };
        throw new Error("Not about geography");
      }`),
    });
    for (const stream of [false, true]) {
      expect(await ask({ stream })).toMatchObject({
        status: 400,
        body: { error: { message: "Not about geography", code: "plugin_failed", type: "invalid_request_error" } },
      });
    }
    const say = (content: string) => ask({ messages: [{ role: "user", content }] });
    expect(await say("limit")).toMatchObject({ status: 429, body: { error: { message: "Too many questions" } } });
    expect(await say("odd")).toMatchObject({ status: 400, body: { error: { code: "plugin_failed" } } });
    expect(asked()).toEqual([]);
  });

  it("may choose another model, within the caller's rights", async () => {
    await install(world, {
      id: "routing",
      source: filter(`inlet(body) { return { ...body, model: body.messages[0].content } }`),
    });
    expect((await ask({ messages: [{ role: "user", content: "mistral" }] })).status).toBe(200);
    expect(asked().at(-1)!.body).toMatchObject({ model: "mistral" });
    expect(await ask({ messages: [{ role: "user", content: "nowhere" }] })).toMatchObject({
      status: 404,
      body: { error: { code: "model_not_found" } },
    });
  });

  it("a refused question is kept with its reason in the chat that it belongs to", async () => {
    await install(world, { id: "gate", source: filter(`inlet() { throw new Error("Not today") }`) });
    const { body: chat } = await world.call<{ id: string }>("/api/v1/chats/new", {
      as: ada,
      json: { chat: { title: "T" } },
    });
    expect((await ask({ chat_id: chat.id })).status).toBe(400);
    await world.settled();
    expect((await shown(chat.id)).at(-1)).toMatchObject({
      state: "error",
      error: { message: "Not today", code: "plugin_failed" },
    });
  });
});

const shown = async (chatId: string): Promise<WireMessage[]> => {
  const { body } = await world.call<ChatResponse>(`/api/v1/chats/${chatId}`, { as: ada });
  const { messages, currentId } = body.chat.history;
  const path: WireMessage[] = [];
  for (let at = currentId ?? null; at; at = messages[at]!.parentId) path.unshift(messages[at]!);
  return path;
};

describe("which filters apply", () => {
  it("global ones, those of the model and of its base, and toggles that are listed", async () => {
    const admin = await world.admin();
    await install(world, { id: "global", source: marking("g") });
    await install(world, { id: "off", source: marking("o"), isActive: false });
    await install(world, { id: "unbound", source: marking("u"), isGlobal: false });
    await install(world, { id: "bound", source: marking("m"), isGlobal: false });
    await install(world, { id: "based", source: marking("b"), isGlobal: false });
    await install(world, {
      id: "toggled",
      source: `export class Filter { toggle = true; inlet(body) { body.messages.at(-1).content += "t" } }`,
    });
    await install(world, {
      id: "toggled_here",
      isGlobal: false,
      source: `export class Filter { toggle = true; inlet(body) { body.messages.at(-1).content += "h" } }`,
    });
    const read = { access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] };
    const create = (json: object) =>
      world.call("/api/v1/models/create", { as: admin, json: { ...read, params: {}, ...json } });
    await create({ id: "openai", base_model_id: null, name: "Base", meta: { filterIds: ["based"] } });
    await create({
      id: "own",
      base_model_id: "openai",
      name: "Own",
      meta: { filterIds: ["bound", "toggled_here", "off", "gone"], defaultFilterIds: ["toggled_here"] },
    });
    const marksOf = async (more: object) => {
      await ask(more);
      return String((asked().at(-1)!.body!["messages"] as { content: string }[])[0]!.content).slice(
        question[0]!.content.length,
      );
    };
    expect(await marksOf({ model: "mistral" })).toBe("g");
    expect(await marksOf({})).toBe("bg");
    expect(await marksOf({ model: "own" })).toBe("bmg");
    expect(await marksOf({ model: "own", filter_ids: ["toggled", "toggled_here", "unbound"] })).toBe("bmgth");
    expect(await marksOf({ model: "mistral", filter_ids: ["toggled_here", "toggled"] })).toBe("gt");

    const { body } = await world.call<{ data: ModelEntry[] }>("/api/models", { as: ada });
    const filtersOf = (id: string) => body.data.find((model) => model.id === id)!.filters;
    expect(filtersOf("mistral")).toMatchObject([
      { id: "toggled", name: "toggled", description: "What toggled does", icon: null, default: false },
    ]);
    expect(filtersOf("own").map(({ id, default: isDefault }) => [id, isDefault])).toEqual([
      ["toggled", false],
      ["toggled_here", true],
    ]);
  });

  it("none in safe mode", async () => {
    await install(world, { id: "gate", source: filter(`inlet() { throw new Error("no") }`) });
    const { db, environment } = world.services;
    const safe = await createWorld({
      environment: { OPENAI_API_BASE_URLS: upstream.url, SAFE_MODE: "true" },
      services: { db, lookup: world.services.lookup, tokens: world.services.tokens },
    });
    expect(environment.SAFE_MODE).toBeUndefined();
    expect(
      (await safe.call("/api/chat/completions", { as: ada, json: { model: "openai", messages: question } })).status,
    ).toBe(200);
    await safe.close();
  });

  it("what people set for themselves is read once, and only where a filter that applies has such values", async () => {
    const source = `export class UserValves { shout = false }
      export class Filter {
        inlet(body, __user__) { if (__user__.valves.shout) body.messages.at(-1).content += "!" }
        outlet() {}
      }`;
    await install(world, { id: "shouting", source, isGlobal: false });
    await install(world, { id: "plain", source: marking("") });
    await ask();
    world.roundTrips.reset();
    await ask();
    expect(world.roundTrips.count).toBe(1);
    await world.call("/api/v1/functions/id/shouting/toggle/global", { as: await world.admin(), json: {} });
    await world.call("/api/v1/functions/id/shouting/valves/user/update", { as: ada, json: { shout: true } });
    await ask();
    expect(asked().at(-1)!.body!["messages"]).toEqual([{ role: "user", content: `${question[0]!.content}!` }]);
    world.roundTrips.reset();
    await ask();
    expect(world.roundTrips.count).toBe(2);
  });
});

describe("stream filters", () => {
  const upper = filter(`stream(event) {
    for (const { delta } of event.choices ?? []) if (delta.content) delta.content = delta.content.toUpperCase();
    return event;
  }`);

  it("change each event of a stream, and the same answer where it is whole", async () => {
    await install(world, { id: "upper", source: upper });
    const { body } = await ask<string>({ stream: true, stream_options: { include_usage: true } });
    expect(textOf(body)).toBe(answered.toUpperCase());
    const events = eventsOf(body);
    expect(events.at(-1)).toBe("[DONE]");
    expect(events.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(JSON.stringify(eventsOf((await ask<string>({ stream: true })).body))).not.toContain("total_tokens");
    expect((await ask()).body.choices[0]!.message.content).toBe(answered.toUpperCase());
  });

  it("leave an answer that they do not change in its own words", async () => {
    const before = (await ask<object>()).body;
    await install(world, { id: "watching", source: filter(`stream(event) { return event }`) });
    expect((await ask<object>()).body).toEqual(before);
  });

  it("run one after the other, and what one drops the next never sees", async () => {
    await install(world, {
      id: "a_first",
      source: filter(`stream(event) { return event.choices?.[0]?.delta?.content === " capital" ? null : event }`),
    });
    await install(world, { id: "b_second", source: upper });
    expect(textOf((await ask<string>({ stream: true })).body)).not.toMatch(/capital/i);
  });

  it("one that raises costs the event, is logged, and the answer goes on", async () => {
    await install(world, {
      id: "picky",
      source: filter(
        `stream(event) { if (event.choices?.[0]?.delta?.content === " is") throw new Error("not that word"); return event }`,
      ),
    });
    const { status, body } = await ask<string>({ stream: true });
    expect(status).toBe(200);
    expect(textOf(body)).toBe(answered.replace(" is", ""));
    expect(eventsOf(body).at(-1)).toBe("[DONE]");
    expect(world.logged).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: "a plugin failed",
        fields: expect.objectContaining({ plugin: "function/picky", method: "stream", text: "not that word" }),
      }),
    );
  });

  it("dropping everything leaves an empty answer that is whole", async () => {
    await install(world, { id: "void", source: filter(`stream() { throw new Error("no") }`) });
    const { status, body } = await ask<string>({ stream: true });
    expect(status).toBe(200);
    expect(textOf(body)).toBe("");
    expect(eventsOf(body).at(-1)).toBe("[DONE]");
    expect(eventsOf(body).at(-2)).toMatchObject({ choices: [{ finish_reason: "stop" }] });
    expect((await ask()).body.choices).toMatchObject([{ message: { content: "" }, finish_reason: "stop" }]);
  });

  it("do not touch an error of the upstream", async () => {
    await install(world, { id: "upper", source: upper });
    const { status, body } = await ask({ model: "fault-429" });
    expect(status).toBe(429);
    expect(body.error.message).not.toBe("");
  });

  it("a caller who leaves lets the model go", async () => {
    await install(world, { id: "upper", source: upper });
    const hold = upstream.holdAfter(3);
    const coming = upstream.nextRequest();
    const response = await world.request("/api/chat/completions", {
      as: ada,
      json: { model: "openai", messages: question, stream: true },
    });
    const reader = response.body!.getReader();
    await reader.read();
    await hold.reached;
    await reader.cancel();
    const request = await coming;
    await request.over;
    expect(request.aborted).toBe(true);
    hold.release();
  });

  it("what is kept in a chat is what came out of them", async () => {
    await install(world, { id: "upper", source: upper });
    for (const stream of [false, true]) {
      const { body: chat } = await world.call<{ id: string }>("/api/v1/chats/new", {
        as: ada,
        json: { chat: { title: "T" } },
      });
      await ask({ chat_id: chat.id, stream });
      await world.settled();
      expect((await shown(chat.id)).at(-1)).toMatchObject({ content: answered.toUpperCase(), state: "done" });
    }
  });
});

/** A turn in the background, to its end. */
async function turn(more: object = {}): Promise<{ start: RunStart; end: TurnEnd; streamed: string }> {
  await world.call("/api/chat/completions", {
    as: ada,
    json: {
      model: "openai",
      session_id: "s",
      id: newId(),
      parent_id: null,
      user_message: { id: newId(), content: question[0]!.content },
      ...more,
    },
  });
  const start = world.live.runs.at(-1)!;
  let streamed = "";
  const text = new AnswerText(start.continueFrom, {
    delta: ({ content }) => void (streamed += content),
    replaced: () => undefined,
  });
  let end: TurnEnd | undefined;
  await runTurn(world.services, start, text, { ended: (ended) => void (end = ended) }, new AbortController());
  await world.settled();
  return { start, end: end!, streamed };
}
const published = (type: string) =>
  world.live.published.filter(({ event }) => event.data.type === type).map(({ event }) => event);

describe("turns in the background", () => {
  it("run all three: what tabs see comes out of the stream filter, what is kept out of the outlet", async () => {
    await install(world, {
      id: "all",
      source: filter(`inlet(body) { body.messages.at(-1).content += " Please." }
        stream(event) { for (const { delta } of event.choices ?? []) if (delta.content) delta.content = delta.content.toUpperCase(); return event }
        outlet(body, __chat_id__) {
          body.messages.at(-1).content += " (" + [body.model, body.chat_id === __chat_id__, body.session_id, body.id === body.messages.at(-1).id, body.messages.length].join() + ")";
          return body;
        }`),
    });
    const { start, end, streamed } = await turn();
    expect(asked()[0]!.body!["messages"]).toEqual([{ role: "user", content: `${question[0]!.content} Please.` }]);
    expect(streamed).toBe(answered.toUpperCase());
    const text = `${answered.toUpperCase()} (openai,true,s,true,2)`;
    expect(end).toMatchObject({ state: "done", content: text });
    const [asking, answer] = await shown(start.chatId);
    expect(asking!.content).toBe(question[0]!.content);
    expect(answer).toMatchObject({ content: text, originalContent: answered.toUpperCase(), state: "done", done: true });
    expect(published("chat:outlet")).toMatchObject([
      {
        chat_id: start.chatId,
        message_id: start.messageId,
        data: { data: { messages: [{ id: start.messageId, content: text }] } },
      },
    ]);
  });

  it("an outlet may change what was asked too", async () => {
    await install(world, {
      id: "redacting",
      source: filter(
        `outlet(body) { for (const m of body.messages) m.content = m.content.replace("France", "[a country]") }`,
      ),
    });
    const { start } = await turn();
    const [asking, answer] = await shown(start.chatId);
    expect(asking).toMatchObject({
      content: "What is the capital of [a country]?",
      originalContent: question[0]!.content,
    });
    expect(answer).toMatchObject({ content: answered.replace("France", "[a country]") });
    expect(published("chat:message").map(({ message_id }) => message_id)).toEqual([asking!.id]);
  });

  it("an outlet that fails keeps the reply, the others do their part, and the person is told", async () => {
    await install(world, {
      id: "a_broken",
      name: "Broken",
      source: filter(`outlet() { throw new Error("no dictionary") }`),
    });
    await install(world, { id: "b_fine", source: filter(`outlet(body) { body.messages.at(-1).content += "!" }`) });
    const { end } = await turn();
    expect(end).toMatchObject({ state: "done", content: `${answered}!` });
    expect(published("notification")).toMatchObject([
      {
        data: {
          data: { type: "warning", content: expect.stringContaining("Broken could not do its part: no dictionary") },
        },
      },
    ]);
  });

  it("an outlet that changes nothing leaves nothing behind", async () => {
    await install(world, { id: "looking", source: filter(`outlet(body) { return body }`) });
    const { start } = await turn();
    expect((await shown(start.chatId)).at(-1)).not.toHaveProperty("originalContent");
    expect(published("chat:outlet")).toEqual([]);
  });

  it("what an inlet refuses is the end of the turn", async () => {
    await install(world, { id: "gate", source: filter(`inlet() { throw new Error("Not today") }`) });
    const { end } = await turn();
    expect(end).toMatchObject({ state: "error", error: { message: "Not today", code: "plugin_failed" } });
    expect(asked()).toEqual([]);
  });

  it("the name of a chat is no turn: its filters do not run", async () => {
    await install(world, { id: "counting", source: filter(`inlet(body) { body.messages.at(-1).content += "#" }`) });
    await turn({ background_tasks: { title_generation: true } });
    const prompts = asked().map(({ body }) => JSON.stringify(body!["messages"]));
    expect(prompts).toHaveLength(2);
    expect(prompts.filter((prompt) => prompt.includes("#"))).toHaveLength(1);
  });
});

describe("outlets of API calls", () => {
  const outlet = filter(`outlet(body) { body.messages.at(-1).content += " [seen]"; return body }`);

  it("do not run as long as the settings say stable", async () => {
    await install(world, { id: "seeing", source: outlet });
    const { body: chat } = await world.call<{ id: string }>("/api/v1/chats/new", {
      as: ada,
      json: { chat: { title: "T" } },
    });
    await ask({ chat_id: chat.id });
    await world.settled();
    expect((await shown(chat.id)).at(-1)!.content).toBe(answered);
  });

  it("run for what is kept in a chat where they say prerelease, and never rewrite the answer over HTTP", async () => {
    await install(world, { id: "seeing", source: outlet });
    const set = await world.call("/api/v1/auths/admin/config", {
      as: await world.admin(),
      json: { OUTLET_FILTER_MODE: "prerelease" },
    });
    expect(set.status).toBe(200);
    for (const stream of [false, true]) {
      const { body: chat } = await world.call<{ id: string }>("/api/v1/chats/new", {
        as: ada,
        json: { chat: { title: "T" } },
      });
      const { body } = await ask<Completion & string>({ chat_id: chat.id, stream });
      expect(stream ? textOf(body) : body.choices[0]!.message.content).toBe(answered);
      await world.settled();
      expect((await shown(chat.id)).at(-1)).toMatchObject({ content: `${answered} [seen]`, originalContent: answered });
    }
    expect((await ask()).body.choices[0]!.message.content).toBe(answered);
  });

  it("/api/chat/completed runs them and gives the payload back, with no more than model and messages", async () => {
    await install(world, { id: "seeing", source: outlet });
    const payload = { model: "openai", messages: [...question, { role: "assistant", content: answered }] };
    expect(await ask(payload, "/api/chat/completed")).toMatchObject({
      status: 200,
      body: { model: "openai", messages: [question[0], { role: "assistant", content: `${answered} [seen]` }] },
    });
    expect(await ask({ ...payload, custom: 1, chat_id: newId() }, "/api/chat/completed")).toMatchObject({
      status: 200,
      body: { custom: 1 },
    });
    await install(world, { id: "failing", source: filter(`outlet() { throw new Error("no") }`) });
    expect(await ask(payload, "/api/chat/completed")).toMatchObject({
      status: 400,
      body: { error: { message: "no" } },
    });
  });
});
