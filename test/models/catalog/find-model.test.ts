import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findModel, type FindOptions } from "../../../src/models/catalog/find-model.ts";
import { listModels } from "../../../src/models/catalog/list-models.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../context-for.ts";
import {
  answering,
  deadOrigin,
  hanging,
  listing,
  startProvider,
  tagging,
  type Behaviour,
  type Provider,
} from "../provider.ts";
import { storeConnection } from "../store-connection.ts";

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
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
  await world.close();
});

const provide = async (behaviour: Behaviour) => {
  const provider = await startProvider(behaviour);
  providers.push(provider);
  return provider;
};
const find = async (id: string, options?: FindOptions) => findModel(await contextFor(world, person), id, options);
const notFound = { code: "model_not_found", status: 404, param: "model" };
const make = (json: Record<string, unknown>) => world.call("/api/v1/models/create", { as: admin, json });

describe("finding a model", () => {
  test("gives all that a completion needs", async () => {
    const provider = await provide(listing("tide"));
    const id = await storeConnection(world, {
      base_url: provider.origin,
      key: "sk-harbour-key",
      headers: { "X-A": "one-secret", Authorization: "Basic Zm9vYmFy" },
      prefix_id: "h",
    });
    const model = await find("h.tide");
    expect(model).toMatchObject({
      id: "h.tide",
      name: "tide",
      kind: "openai",
      upstreamId: "tide",
      connection: { id, baseUrl: provider.origin, apiRoot: `${provider.origin}/v1`, key: "sk-harbour-key" },
      params: {},
    });
    expect(model.secrets).toEqual(["sk-harbour-key", "one-secret", "Basic Zm9vYmFy", "Zm9vYmFy"]);
  });

  test("costs no round trip when warm and one when cold", async () => {
    const provider = await provide(listing("tide"));
    await storeConnection(world, { base_url: provider.origin });
    await find("tide");
    await world.settled();
    const warm = await contextFor(world, person);
    world.roundTrips.reset();
    await findModel(warm, "tide");
    expect(world.roundTrips.count).toBe(0);
    await make({ id: "mine", base_model_id: "tide", name: "Mine" });
    const cold = await contextFor(world, person);
    world.roundTrips.reset();
    await findModel(cold, "tide");
    expect(world.roundTrips.count).toBe(1);
    expect(provider.requests).toHaveLength(1);
  });

  test("does not wait for dead and hanging providers: the first that has the model wins", async () => {
    await storeConnection(world, { base_url: (await provide(hanging)).origin });
    await storeConnection(world, { base_url: await deadOrigin() });
    await storeConnection(world, { base_url: (await provide(listing("tide"))).origin });
    await storeConnection(world, { base_url: (await provide(hanging)).origin });
    const started = performance.now();
    expect((await find("tide", { budgetMs: 40_000 })).upstreamId).toBe("tide");
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test("keeps to the order of connections while all answer", async () => {
    const slow = await provide(
      (request, response) => void setImmediate(() => setImmediate(() => listing("tide")(request, response))),
    );
    const first = await storeConnection(world, { base_url: slow.origin });
    await storeConnection(world, { base_url: (await provide(listing("tide"))).origin });
    expect((await find("tide")).connection.id).toBe(first);
    const listed = (await listModels(await contextFor(world, person))).models;
    expect(listed).toHaveLength(1);
  });

  test("asks nobody for a model that a connection names", async () => {
    const provider = await provide(hanging);
    await storeConnection(world, { base_url: provider.origin, model_ids: ["deployment-7"] });
    expect((await find("deployment-7")).upstreamId).toBe("deployment-7");
    await expect(find("deployment-8")).rejects.toMatchObject(notFound);
    expect(provider.requests).toEqual([]);
  });

  test("calls nobody with half of the secrets: a connection whose key is lost says so", async () => {
    const provider = await provide(hanging);
    const id = await storeConnection(world, { base_url: provider.origin, model_ids: ["named"], key: "sk-harbour" });
    await world.client.execute({
      sql: "UPDATE connections SET sealed_key = 'v1.gone.AAAA.AAAA' WHERE id = ?",
      args: [id],
    });
    await expect(find("named")).rejects.toMatchObject({ code: "upstream_unreachable" });
    expect(provider.requests).toEqual([]);
  });

  test("asks only connections whose prefix fits", async () => {
    const provider = await provide(listing("tide"));
    await storeConnection(world, { base_url: provider.origin, prefix_id: "h" });
    await expect(find("tide")).rejects.toMatchObject(notFound);
    await expect(find("h.")).rejects.toMatchObject(notFound);
    expect(provider.requests).toEqual([]);
    expect((await find("h.tide")).upstreamId).toBe("tide");
  });

  test("says that a model is unknown within the budget, and does not let that be asked again and again", async () => {
    const good = await provide(listing("tide"));
    const hung = await provide(hanging);
    await storeConnection(world, { base_url: good.origin });
    await storeConnection(world, { base_url: hung.origin });
    const asked = () => [good.requests.length, hung.requests.length];
    await expect(find("surf", { budgetMs: 60 })).rejects.toMatchObject(notFound);
    await vi.waitFor(() => expect(asked()).toEqual([1, 1]), { timeout: 20_000 });
    await expect(find("surf", { budgetMs: 60 })).rejects.toMatchObject(notFound);
    await expect(find("storm", { budgetMs: 60 })).rejects.toMatchObject(notFound);
    expect(asked()).toEqual([1, 1]);
    good.behave(listing("tide", "surf"));
    world.advance(6);
    expect((await find("surf", { budgetMs: 20_000 })).upstreamId).toBe("surf");
  });

  test("asks a provider again at once that had less time before", async () => {
    const provider = await provide(hanging);
    await storeConnection(world, { base_url: provider.origin });
    await expect(find("tide", { budgetMs: 60 })).rejects.toMatchObject(notFound);
    provider.behave(listing("tide"));
    expect((await find("tide", { budgetMs: 20_000 })).upstreamId).toBe("tide");
  });

  test("still finds a model whose provider failed since: the provider's own error says more than an unknown model", async () => {
    const provider = await provide(listing("tide"));
    await storeConnection(world, { base_url: provider.origin });
    await find("tide");
    provider.behave(answering(500, "{}"));
    const listed = await listModels(await contextFor(world, person), { refresh: true });
    expect(listed.models).toEqual([]);
    expect((await find("tide")).upstreamId).toBe("tide");
    await expect(find("surf")).rejects.toMatchObject(notFound);
  });

  test("prefers a provider that answers to one that failed", async () => {
    const one = await provide(listing("tide"));
    await storeConnection(world, { base_url: one.origin });
    const second = await storeConnection(world, { base_url: (await provide(listing("tide"))).origin });
    await listModels(await contextFor(world, person));
    one.behave(answering(500, "{}"));
    await listModels(await contextFor(world, person), { refresh: true });
    expect((await find("tide")).connection.id).toBe(second);
  });

  test("finds a made model by its base, with its parameters, also under a provider with a prefix", async () => {
    const provider = await provide(tagging("tiny:1b"));
    await storeConnection(world, { base_url: provider.origin, kind: "local", prefix_id: "box" });
    await make({
      id: "pilot",
      base_model_id: "box.tiny:1b",
      name: "Pilot",
      params: { system: "You are a pilot.", temperature: 0.2 },
      access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
    });
    expect(await find("pilot")).toMatchObject({
      id: "pilot",
      name: "Pilot",
      kind: "local",
      upstreamId: "tiny:1b",
      params: { system: "You are a pilot.", temperature: 0.2 },
      stored: { baseModelId: "box.tiny:1b" },
    });
  });

  test("learns nothing and asks nobody with an id that is not for the caller", async () => {
    const provider = await provide(listing("tide"));
    await storeConnection(world, { base_url: provider.origin });
    await make({
      id: "tide",
      base_model_id: null,
      name: "Tide",
      access_grants: [{ principal_type: "user", principal_id: admin.id, permission: "read" }],
    });
    const hidden = await find("tide").catch((error: Error) => error.message);
    const unknown = await find("eddy").catch((error: Error) => error.message);
    expect(hidden).toBe(String(unknown).replace("eddy", "tide"));
    expect(provider.requests).toHaveLength(1);
    expect((await find("tide", { asService: true })).upstreamId).toBe("tide");
  });

  test.each(["__proto__", "constructor", "", " ", "a\nb", "x".repeat(5000)])(
    "takes %j for an unknown model",
    async (id) => {
      await storeConnection(world, { base_url: (await provide(listing("tide"))).origin });
      const error = await find(id).catch((caught: Error) => caught);
      expect(error).toMatchObject(notFound);
      expect((error as Error).message.length).toBeLessThan(400);
    },
  );
});
