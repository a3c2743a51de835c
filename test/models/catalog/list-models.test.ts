import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { headerText } from "../../../src/models/catalog/routes.ts";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import type { NewConnection } from "../../../src/models/connections/schema.ts";
import { startCpuClock } from "../../cpu-time.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import {
  answering,
  at,
  deadOrigin,
  listing,
  startProvider,
  tagging,
  type Behaviour,
  type Provider,
} from "../provider.ts";
import { storeConnection } from "../store-connection.ts";

interface List {
  object: string;
  data: ModelEntry[];
}

let world: World;
let person: Person;
const providers: Provider[] = [];
beforeEach(async () => {
  world = await createWorld();
  person = await world.person();
});
afterEach(async () => {
  await world.close();
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
});

const provide = async (behaviour: Behaviour) => {
  const provider = await startProvider(behaviour);
  providers.push(provider);
  return provider;
};
const connect = (base_url: string, values: Partial<NewConnection> = {}) =>
  storeConnection(world, { base_url, ...values });
const list = (path = "/api/models", headers: Record<string, string> = {}) =>
  world.call<List>(path, { as: person, headers });
const ids = async (path?: string) => (await list(path)).body.data.map((model) => model.id);

describe("the model list", () => {
  test.each(["/api/models", "/api/models/", "/api/v1/models", "/api/v1/models/"])(
    "is at %s, in the shape of SDKs and of Open WebUI",
    async (path) => {
      const provider = await provide(
        at(
          "/v1/models",
          answering(
            200,
            JSON.stringify({
              data: [
                { id: "tide", object: "model", created: 1_700_000_000, owned_by: "harbour", context_length: 8192 },
                { id: "ebb" },
              ],
            }),
          ),
        ),
      );
      await connect(`${provider.origin}/v1`, { tags: ["sea"] });
      const { status, body } = await list(path);
      expect(status).toBe(200);
      expect(body.object).toBe("list");
      expect(body.data[0]).toEqual({
        id: "tide",
        name: "tide",
        object: "model",
        created: 1_700_000_000,
        owned_by: "harbour",
        connection_type: "external",
        context_length: 8192,
        openai: { id: "tide", object: "model", created: 1_700_000_000, owned_by: "harbour", context_length: 8192 },
        tags: [{ name: "sea" }],
        actions: [],
        filters: [],
      });
      expect(body.data[1]).toMatchObject({ id: "ebb", owned_by: "openai" });
    },
  );

  test("speaks the dialect of SDKs when it refuses", async () => {
    expect(await world.call("/api/models")).toMatchObject({ status: 401, body: { error: { code: "not_signed_in" } } });
    const pending = await world.person({ role: "pending" });
    expect(await world.call("/api/v1/models", { as: pending })).toMatchObject({
      status: 403,
      body: { error: { code: "account_pending" } },
    });
  });

  test("has local runtimes' models under the word that clients of Open WebUI know", async () => {
    const runtime = await provide(tagging("tiny:1b"));
    await connect(`${runtime.origin}/v1/`, { kind: "local" });
    expect((await list()).body.data).toMatchObject([
      {
        id: "tiny:1b",
        owned_by: "ollama",
        connection_type: "local",
        created: 1_767_319_445,
        ollama: { details: { family: "tiny" } },
      },
    ]);
  });

  test("takes runtimes without /api/tags by their /v1/models", async () => {
    const runtime = await provide(listing("gguf"));
    await connect(runtime.origin, { kind: "local" });
    expect((await list()).body.data).toMatchObject([{ id: "gguf", owned_by: "ollama" }]);
  });

  test.each([
    ["a bare array", '[{"id":"tide"}]', ["tide"]],
    ["models under another name", '{"models":[{"name":"tide"}]}', ["tide"]],
    ["no models", '{"data":[]}', []],
    ["entries that are none", '{"data":[null,7,"x",{},{"id":""},{"id":5},{"id":"tide"},{"id":"tide"}]}', ["tide"]],
  ])("reads %s", async (_, text, expected) => {
    const provider = await provide(answering(200, text));
    await connect(`${provider.origin}/v1`);
    expect(await ids()).toEqual(expected);
    expect((await list()).headers.has("x-parley-unreachable")).toBe(false);
  });

  test("joins connections in their order; the first one keeps an id that two have, a prefix keeps them apart", async () => {
    const [one, two, three] = [
      await provide(listing("tide", "ebb")),
      await provide(listing("ebb", "surf")),
      await provide(listing("ebb")),
    ];
    await connect(`${one!.origin}/v1`, { name: "one" });
    await connect(`${two!.origin}/v1`, { name: "two", tags: ["second"] });
    await connect(`${three!.origin}/v1`, { prefix_id: "third" });
    const { body } = await list();
    expect(body.data.map((model) => model.id)).toEqual(["tide", "ebb", "surf", "third.ebb"]);
    expect(body.data[1]!.tags).toEqual([]);
  });

  test("takes only the models that a connection names, also such as its provider does not list", async () => {
    const provider = await provide(listing("tide", "ebb", "surf"));
    await connect(`${provider.origin}/v1`, { model_ids: ["surf", "deployment-7", "tide"] });
    const { body } = await list();
    expect(body.data).toMatchObject([
      { id: "surf", owned_by: "harbour" },
      { id: "deployment-7", owned_by: "openai" },
      { id: "tide" },
    ]);
  });

  test("has the named models of a provider that has no list, but not of one that is dead", async () => {
    const provider = await provide(answering(404, "{}"));
    await connect(`${provider.origin}/v1`, { model_ids: ["sonar"] });
    await connect(await deadOrigin(), { model_ids: ["ghost"], name: "Ghost ship" });
    const { body, headers } = await list();
    expect(body.data.map((model) => model.id)).toEqual(["sonar"]);
    expect(headers.get("x-parley-unreachable")).toBe("Ghost ship");
  });

  test("leaves disabled connections out and does not ask them", async () => {
    const provider = await provide(listing("tide"));
    await connect(`${provider.origin}/v1`, { enabled: false });
    expect(await ids()).toEqual(["parley-guide"]);
    expect(provider.requests).toEqual([]);
  });

  test("has two thousand models, without long texts, and is quick with them", async () => {
    const data = Array.from({ length: 2000 }, (_, index) => ({
      id: `fleet/ship-${index}`,
      description: "long ".repeat(400),
      pricing: { prompt: "0.1" },
      icon: "data:image/png;base64,AAAA",
    }));
    const provider = await provide(at("/v1/models", answering(200, JSON.stringify({ data }))));
    await connect(`${provider.origin}/v1`);
    await list();
    const elapsed = startCpuClock();
    const response = await world.request("/api/models", { as: person });
    const text = await response.text();
    expect(elapsed()).toBeLessThan(500);
    expect((JSON.parse(text) as List).data).toHaveLength(2000);
    expect(text.length).toBeLessThan(800_000);
    expect(text).not.toContain("data:image");
    expect((JSON.parse(text) as List).data[0]!.openai).toEqual({ id: "fleet/ship-0", pricing: { prompt: "0.1" } });
  });
});

describe("one model and the default", () => {
  test("one model can be asked for as SDKs do", async () => {
    const provider = await provide(listing("fleet/ship", "tide"));
    await connect(`${provider.origin}/v1`);
    expect(await world.call("/api/models/fleet%2Fship", { as: person })).toMatchObject({
      status: 200,
      body: { id: "fleet/ship", object: "model" },
    });
    expect(await world.call("/api/v1/models/tide", { as: person })).toMatchObject({
      status: 200,
      body: { id: "tide" },
    });
    expect(await world.call("/api/models/none", { as: person })).toMatchObject({
      status: 404,
      body: { error: { code: "model_not_found", param: "model" } },
    });
  });
});

test.each([
  ["Harbour", "Harbour"],
  ["a, b", "a%2C b"],
  ["100%", "100%25"],
  ["Häfen 港", "H%C3%A4fen %E6%B8%AF"],
  ["x\r\nset-cookie: a=b", "x%0D%0Aset-cookie: a=b"],
  ["broken \ud800 pair", "broken %3F pair"],
])("the name %j goes into a header as %j", (name, text) => {
  expect(headerText(name)).toBe(text);
  expect(new Headers({ name: headerText(name) }).get("name")).toBe(text);
});
