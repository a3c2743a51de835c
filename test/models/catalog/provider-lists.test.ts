import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { contextWith } from "../../../src/context.ts";
import { listModels } from "../../../src/models/catalog/list-models.ts";
import { headerText } from "../../../src/models/catalog/routes.ts";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import type { NewConnection } from "../../../src/models/connections/schema.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../context-for.ts";
import { answering, deadOrigin, hanging, listing, startProvider, type Behaviour, type Provider } from "../provider.ts";
import { storeConnection } from "../store-connection.ts";

interface List {
  object: string;
  data: ModelEntry[];
}

let world: World;
let admin: Person;
let person: Person;
const providers: Provider[] = [];
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
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
const status = async (id: string) =>
  (
    await world.call<{ status: { state: string; reason?: string; model_count: number } }>(`/api/v1/connections/${id}`, {
      as: admin,
    })
  ).body.status;

describe("dead providers", () => {
  test.each([
    ["refuse", undefined, "refused"],
    ["answer 500", answering(500, "{}"), "provider_error"],
    ["answer with a page", answering(200, "<html>"), "not_a_model_list"],
    ["refuse the key", answering(401, "{}"), "key_refused"],
    [
      "answer half",
      ((_, response) =>
        response.writeHead(200, { "content-length": "99" }).write("{", () => response.destroy())) as Behaviour,
      "unreachable",
    ],
  ])("that %s contribute nothing, and are named to callers and administrators", async (_, behaviour, reason) => {
    const good = await provide(listing("tide"));
    await connect(`${good.origin}/v1`, { name: "Good" });
    const bad = await connect(behaviour ? (await provide(behaviour)).origin : await deadOrigin(), {
      name: "Bad, Ärger",
    });
    const { status: code, body, headers } = await list();
    expect({ code, ids: body.data.map((model) => model.id), named: headers.get("x-parley-unreachable") }).toEqual({
      code: 200,
      ids: ["tide"],
      named: headerText("Bad, Ärger"),
    });
    await world.settled();
    expect(await status(bad)).toMatchObject({ state: "failed", reason });
  });

  test("leave an empty list when there are no others: the guide does not hide that", async () => {
    await connect(await deadOrigin(), { name: "Gone" });
    const { body, headers } = await list();
    expect(body.data).toEqual([]);
    expect(headers.get("x-parley-unreachable")).toBe("Gone");
  });

  test("that hang cost their budget once, whatever their number, and next to nothing afterwards", async () => {
    const good = await provide(listing("tide"));
    const hung = await Promise.all(Array.from({ length: 4 }, () => provide(hanging)));
    for (const provider of hung) await connect(provider.origin);
    await connect(`${good.origin}/v1`);
    const started = performance.now();
    const budgetMs = 2000;
    const first = await listModels(await contextFor(world, person), { budgetMs });
    const took = performance.now() - started;
    expect(first.models.map((model) => model.id)).toEqual(["tide"]);
    expect(first.unreachable).toHaveLength(4);
    expect(took).toBeGreaterThan(budgetMs - 50);
    expect(took).toBeLessThan(hung.length * budgetMs);
    // The answer does not wait for the looks to be remembered as failed.
    await world.settled();
    const asked = () => hung.map((provider) => provider.requests.length);
    const before = asked();
    await listModels(await contextFor(world, person), { budgetMs });
    expect(asked()).toEqual(before);
    // Long afterwards they are asked again, but nobody waits for them longer than a moment.
    world.advance(600);
    const later = performance.now();
    await listModels(await contextFor(world, person), { budgetMs: 40_000, graceMs: 20 });
    expect(performance.now() - later).toBeLessThan(20_000);
    for (const provider of hung) provider.behave(listing());
    await Promise.all(hung.map((provider) => provider.close()));
    providers.splice(0, providers.length, good);
  });

  test("of more than six at once are asked in turn, and all answers count", async () => {
    const open: (() => void)[] = [];
    const trusted: typeof fetch = (input) =>
      new Promise((resolve) => {
        const id = new URL(input as string).hostname.split(".")[0];
        open.push(() => resolve(Response.json({ data: [{ id }] })));
      });
    for (let index = 0; index < 9; index++) await connect(`http://m${index}.test/v1`);
    const ctx = await contextFor(world, person);
    const listing = listModels(contextWith(ctx, { outbound: { ...ctx.outbound, trusted } }));
    await vi.waitUntil(() => open.length >= 6, { timeout: 30_000 });
    await new Promise(setImmediate);
    expect(open).toHaveLength(6);
    open.shift()!();
    await vi.waitUntil(() => open.length === 6, { timeout: 30_000 });
    for (const answer of open.splice(0)) answer();
    await vi.waitUntil(() => open.length === 2, { timeout: 30_000 });
    for (const answer of open.splice(0)) answer();
    const { models } = await listing;
    expect(models.map((model) => model.id)).toEqual(Array.from({ length: 9 }, (_, index) => `m${index}`));
  });

  test("are back in the list as soon as they answer again", async () => {
    const provider = await provide(answering(500, "{}"));
    const id = await connect(`${provider.origin}/v1`);
    expect(await ids()).toEqual([]);
    provider.behave(listing("tide"));
    expect(await ids()).toEqual([]);
    expect(await ids("/api/models?refresh=true")).toEqual(["tide"]);
    await world.settled();
    expect(await status(id)).toMatchObject({ state: "ok", model_count: 1 });
    provider.behave(answering(500, "{}"));
    world.advance(10);
    expect(await ids()).toEqual(["tide"]);
    await world.settled();
    expect(await ids()).toEqual([]);
    provider.behave(listing("tide"));
    world.advance(40);
    expect(await ids()).toEqual(["tide"]);
  });
});

describe("what is known of a provider", () => {
  test("is used for some seconds, then refreshed behind the answer, and asked for anew when it is old", async () => {
    const provider = await provide(listing("tide"));
    await connect(`${provider.origin}/v1`);
    expect(await ids()).toEqual(["tide"]);
    const asked = provider.requests.length;
    provider.behave(listing("tide", "new"));
    expect(await ids()).toEqual(["tide"]);
    expect(provider.requests.length).toBe(asked);
    world.advance(10);
    expect(await ids()).toEqual(["tide"]);
    await world.settled();
    expect(provider.requests.length).toBe(asked + 1);
    expect(await ids()).toEqual(["tide", "new"]);
    provider.behave(listing("newest"));
    world.advance(100);
    expect(await ids()).toEqual(["newest"]);
  });

  test("is forgotten when the address or the key changes", async () => {
    const provider = await provide((request, response) =>
      listing(request.headers.authorization === "Bearer sk-two" ? "two" : "one")(request, response),
    );
    const id = await connect(`${provider.origin}/v1`);
    expect(await ids()).toEqual(["one"]);
    await world.call(`/api/v1/connections/${id}`, { as: admin, method: "PATCH", json: { key: "sk-two" } });
    expect(await ids()).toEqual(["two"]);
  });

  test("is written down when it changes and once a minute, not at every look", async () => {
    const provider = await provide(listing("tide"));
    const id = await connect(`${provider.origin}/v1`);
    const checkedAt = async () =>
      Number(
        (
          await world.client.execute({
            sql: "SELECT checked_at FROM connection_checks WHERE connection_id = ?",
            args: [id],
          })
        ).rows[0]!.checked_at,
      );
    await ids("/api/models?refresh=true");
    await world.settled();
    const first = await checkedAt();
    world.advance(20);
    await ids("/api/models?refresh=true");
    await world.settled();
    expect(await checkedAt()).toBe(first);
    world.advance(50);
    await ids("/api/models?refresh=true");
    await world.settled();
    expect(await checkedAt()).toBeGreaterThan(first);
  });

  test("costs two round trips at most, and one when nothing has changed", async () => {
    const provider = await provide(listing("tide"));
    await connect(`${provider.origin}/v1`);
    await list();
    await world.settled();
    await world.call("/api/v1/models/create", { as: admin, json: { id: "mine", base_model_id: "tide", name: "Mine" } });
    world.roundTrips.reset();
    await list();
    expect(world.roundTrips.count).toBe(2);
    await list();
    await world.request("/api/models", { as: person });
    expect(world.roundTrips.count).toBe(4);
  });

  test("answers 304 to who has it already", async () => {
    const provider = await provide(listing("tide"));
    await connect(`${provider.origin}/v1`);
    const etag = (await list()).headers.get("etag")!;
    expect(await list("/api/models", { "if-none-match": `"other", ${etag}` })).toMatchObject({ status: 304, body: "" });
    provider.behave(listing("tide", "ebb"));
    expect((await list("/api/models?refresh=true", { "if-none-match": etag })).status).toBe(200);
  });
});
