import { describe, expect, it } from "vitest";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import { createWorld } from "../../world.ts";
import { question, useFilterWorld } from "./filter-world.ts";
import { install } from "./install.ts";

const here = useFilterWorld();
const filter = (body: string) => `export class Filter { ${body} }`;
const marking = (mark: string, priority = 0) => `export class Valves { priority = ${priority} }
  export class Filter { inlet(body) { body.messages.at(-1).content += "${mark}"; return body } }`;

describe("inlet filters", () => {
  it("change what the model is asked, by returning a body or by changing the one they get", async () => {
    await install(here.world, {
      id: "returning",
      source: filter(`inlet(body) { return { ...body, temperature: 0.3 } }`),
    });
    await install(here.world, {
      id: "mutating",
      source: filter(`inlet(body) { body.messages.unshift({ role: "system", content: "Be brief" }) }`),
    });
    for (const stream of [false, true]) {
      const { status } = await here.ask({ stream });
      expect(status).toBe(200);
      expect(here.asked().at(-1)!.body).toMatchObject({
        temperature: 0.3,
        stream,
        messages: [{ role: "system", content: "Be brief" }, ...question],
      });
      expect(here.asked().at(-1)!.body).not.toHaveProperty("metadata");
    }
  });

  it("run by priority, then by id, also where a valve sets the priority", async () => {
    await install(here.world, { id: "b", source: marking("b") });
    await install(here.world, { id: "c", source: marking("c", -5) });
    await install(here.world, { id: "a", source: marking("a") });
    await install(here.world, { id: "d", source: marking("d"), valves: { priority: -9 } });
    await here.ask();
    expect(here.asked().at(-1)!.body!["messages"]).toEqual([{ role: "user", content: `${question[0]!.content}dcab` }]);
  });

  it("refuse with a 4xx in their own words, and nothing is asked of a model", async () => {
    await install(here.world, {
      id: "gate",
      source: filter(`inlet(body) {
        const { content } = body.messages.at(-1);
        if (content === "limit") throw Object.assign(new Error("Too many questions"), { status: 429 });
        if (content === "odd") return { nothing: true };
        throw new Error("Not about geography");
      }`),
    });
    for (const stream of [false, true]) {
      expect(await here.ask({ stream })).toMatchObject({
        status: 400,
        body: { error: { message: "Not about geography", code: "plugin_failed", type: "invalid_request_error" } },
      });
    }
    const say = (content: string) => here.ask({ messages: [{ role: "user", content }] });
    expect(await say("limit")).toMatchObject({ status: 429, body: { error: { message: "Too many questions" } } });
    expect(await say("odd")).toMatchObject({ status: 400, body: { error: { code: "plugin_failed" } } });
    expect(here.asked()).toEqual([]);
  });

  it("keep files for themselves where they say that they read them", async () => {
    await install(here.world, {
      id: "reading",
      source: `export class Filter { file_handler = true; inlet(body) { body.messages.at(-1).content += " " + body.files.length } }`,
    });
    await install(here.world, {
      id: "second",
      source: filter(`inlet(body) { body.messages.at(-1).content += " " + (body.files?.length ?? "none") }`),
    });
    const asked = async (): Promise<string> => {
      await here.ask({ messages: [{ role: "user", content: "x" }], files: [{ id: "1" }, { id: "2" }] });
      return (here.asked().at(-1)!.body!["messages"] as [{ content: string }])[0].content;
    };
    expect(await asked()).toBe("x 2 none");
    await here.world.call("/api/v1/functions/id/reading/toggle", { as: await here.world.admin(), json: {} });
    // Then the service looks for them, and says that they are not there.
    expect(await asked()).toMatch(/ no longer exists.*\n\nx 2$/s);
  });

  it("may choose a function as the model, which gets what the person has set for it", async () => {
    const { world, ada } = here;
    await install(world, {
      id: "speaker",
      source: `export class UserValves { tone = "calm"; word = "hm" }
        export class Pipe { pipe(body, __user__) { return __user__.valves.tone + " " + __user__.valves.word } }`,
    });
    await install(world, {
      id: "routing",
      source: `export class UserValves { to = "speaker" }
        export class Filter { inlet(body, __user__) { return { ...body, model: __user__.valves.to } } }`,
    });
    await world.call("/api/v1/functions/id/speaker/valves/user/update", { as: ada, json: { tone: "loud" } });
    expect((await here.ask()).body.choices[0]!.message.content).toBe("loud hm");
    expect(here.asked()).toEqual([]);
  });

  it("may choose another model, within the caller's rights", async () => {
    await install(here.world, {
      id: "routing",
      source: filter(`inlet(body) { return { ...body, model: body.messages[0].content } }`),
    });
    expect((await here.ask({ messages: [{ role: "user", content: "mistral" }] })).status).toBe(200);
    expect(here.asked().at(-1)!.body).toMatchObject({ model: "mistral" });
    expect(await here.ask({ messages: [{ role: "user", content: "nowhere" }] })).toMatchObject({
      status: 404,
      body: { error: { code: "model_not_found" } },
    });
  });

  it("a refused question is kept with its reason in the chat that it belongs to", async () => {
    await install(here.world, { id: "gate", source: filter(`inlet() { throw new Error("Not today") }`) });
    const chatId = await here.newChat();
    expect((await here.ask({ chat_id: chatId })).status).toBe(400);
    await here.world.settled();
    expect((await here.shown(chatId)).at(-1)).toMatchObject({
      state: "error",
      error: { message: "Not today", code: "plugin_failed" },
    });
  });
});

describe("which filters apply", () => {
  it("global ones, those of the model and of its base, and toggles that are listed", async () => {
    const admin = await here.world.admin();
    await install(here.world, { id: "global", source: marking("g") });
    await install(here.world, { id: "off", source: marking("o"), isActive: false });
    await install(here.world, { id: "unbound", source: marking("u"), isGlobal: false });
    await install(here.world, { id: "bound", source: marking("m"), isGlobal: false });
    await install(here.world, { id: "based", source: marking("b"), isGlobal: false });
    await install(here.world, {
      id: "toggled",
      source: `export class Filter { toggle = true; inlet(body) { body.messages.at(-1).content += "t" } }`,
    });
    await install(here.world, {
      id: "toggled_here",
      isGlobal: false,
      source: `export class Filter { toggle = true; inlet(body) { body.messages.at(-1).content += "h" } }`,
    });
    const read = { access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] };
    const create = (json: object) =>
      here.world.call("/api/v1/models/create", { as: admin, json: { ...read, params: {}, ...json } });
    await create({ id: "openai", base_model_id: null, name: "Base", meta: { filterIds: ["based"] } });
    await create({
      id: "own",
      base_model_id: "openai",
      name: "Own",
      meta: { filterIds: ["bound", "toggled_here", "off", "gone"], defaultFilterIds: ["toggled_here"] },
    });
    const marksOf = async (more: object) => {
      await here.ask(more);
      return String((here.asked().at(-1)!.body!["messages"] as { content: string }[])[0]!.content).slice(
        question[0]!.content.length,
      );
    };
    expect(await marksOf({ model: "mistral" })).toBe("g");
    expect(await marksOf({})).toBe("bg");
    expect(await marksOf({ model: "own" })).toBe("bmg");
    expect(await marksOf({ model: "own", filter_ids: ["toggled", "toggled_here", "unbound"] })).toBe("bmgth");
    expect(await marksOf({ model: "mistral", filter_ids: ["toggled_here", "toggled"] })).toBe("gt");

    const { body } = await here.world.call<{ data: ModelEntry[] }>("/api/models", { as: here.ada });
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
    await install(here.world, { id: "gate", source: filter(`inlet() { throw new Error("no") }`) });
    const { db, environment } = here.world.services;
    const safe = await createWorld({
      environment: { OPENAI_API_BASE_URLS: here.upstream.url, SAFE_MODE: "true" },
      services: { db, lookup: here.world.services.lookup, tokens: here.world.services.tokens },
    });
    expect(environment.SAFE_MODE).toBeUndefined();
    expect(
      (await safe.call("/api/chat/completions", { as: here.ada, json: { model: "openai", messages: question } }))
        .status,
    ).toBe(200);
    await safe.close();
  });

  it("what people set for themselves is read once, and only where a filter that applies has such values", async () => {
    const source = `export class UserValves { shout = false }
      export class Filter {
        inlet(body, __user__) { if (__user__.valves.shout) body.messages.at(-1).content += "!" }
        outlet() {}
      }`;
    await install(here.world, { id: "shouting", source, isGlobal: false });
    await install(here.world, { id: "plain", source: marking("") });
    await here.ask();
    here.world.roundTrips.reset();
    await here.ask();
    expect(here.world.roundTrips.count).toBe(1);
    await here.world.call("/api/v1/functions/id/shouting/toggle/global", { as: await here.world.admin(), json: {} });
    await here.world.call("/api/v1/functions/id/shouting/valves/user/update", { as: here.ada, json: { shout: true } });
    await here.ask();
    expect(here.asked().at(-1)!.body!["messages"]).toEqual([{ role: "user", content: `${question[0]!.content}!` }]);
    here.world.roundTrips.reset();
    await here.ask();
    expect(here.world.roundTrips.count).toBe(2);
  });
});
