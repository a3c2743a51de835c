import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findModel, requireModelRight } from "../../../src/models/catalog/find-model.ts";
import { usageRecords } from "../../../src/usage/tables.ts";
import { answered } from "../../chat/functions/filter-world.ts";
import { install } from "../../chat/functions/install.ts";
import { contextFor } from "../context-for.ts";
import { talking } from "../provider.ts";
import { personWith } from "../stored-models/person-with.ts";
import { directWorld, key, type DirectWorld } from "./direct-world.ts";

let here: DirectWorld;
beforeEach(async () => {
  here = await directWorld();
});
afterEach(() => here.close());

const mine = "direct.mine.tide";
const unknown = { status: 404, body: { error: { code: "model_not_found" } } };
const ids = async (as = here.ada) => (await here.listed(as)).map(({ id }) => id);
const posts = (requests: readonly string[]) => requests.filter((request) => request.startsWith("POST"));

describe("models of a person's own connections", () => {
  test("are in the person's list, marked, and in nobody else's", async () => {
    await here.connect();
    expect(await here.listed()).toMatchObject([
      { id: "tide" },
      { id: mine, name: "tide", direct: true, connection_type: "external" },
      { id: "direct.mine.reef", direct: true },
    ]);
    for (const as of [here.bo, await here.world.admin()]) expect(await ids(as)).toEqual(["tide"]);
    const one = (as = here.ada) => here.world.call(`/api/v1/models/${mine}`, { as });
    expect((await one()).body).toMatchObject({ id: mine, direct: true });
    expect((await one(here.bo)).status).toBe(404);
    expect((await here.world.call("/api/models/base", { as: await here.world.admin() })).body).not.toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: mine })]),
    });
  });

  test("follow prefix, choice of models, switch and deletion", async () => {
    const { id } = await here.connect({ prefix_id: "", model_ids: ["reef"] });
    const patch = (json: unknown) =>
      here.world.call(`/api/v1/users/user/connections/${id}`, { as: here.ada, method: "PATCH", json });
    expect(await ids()).toEqual(["tide", "direct.reef"]);
    await patch({ prefix_id: "quay.b", model_ids: [] });
    expect(await ids()).toEqual(["tide", "direct.quay.b.tide", "direct.quay.b.reef"]);
    await patch({ enabled: false });
    expect(await ids()).toEqual(["tide"]);
    expect(await here.ask("direct.quay.b.tide")).toMatchObject(unknown);
  });

  test("answer their person over every API, with the person's key; the service's connection is not asked", async () => {
    await here.connect();
    expect((await here.ask(mine)).body).toMatchObject({ choices: [{ message: { content: "High water" } }] });
    expect(here.provider.headers.at(-1)).toMatchObject({ authorization: `Bearer ${key}` });
    expect(JSON.parse(here.provider.bodies.at(-1)!)).toMatchObject({ model: "tide" });
    const responses = await here.world.call("/api/v1/responses", {
      as: here.ada,
      json: { model: mine, input: "Ahoy" },
    });
    expect(JSON.stringify(responses.body)).toContain("High water");
    const messages = await here.world.call("/api/v1/messages", {
      as: here.ada,
      json: { model: mine, max_tokens: 9, messages: [{ role: "user", content: "Ahoy" }] },
    });
    expect(messages.body).toMatchObject({ content: [{ text: "High water" }] });
    expect(posts(here.provider.requests)).toHaveLength(3);
    expect(posts(here.service.requests)).toEqual([]);
  });

  test("answer nobody else, whatever they name", async () => {
    await here.connect();
    await ids();
    for (const as of [here.bo, await here.world.admin()]) expect(await here.ask(mine, as)).toMatchObject(unknown);
    // Somebody else's prefix of the same name leads to their own provider alone.
    const { service: theirs } = here;
    await here.connect({ base_url: `${theirs.origin}/v1`, key: "sk-bo" }, here.bo);
    expect((await here.ask(mine, here.bo)).status).toBe(200);
    expect(theirs.headers.at(-1)).toMatchObject({ authorization: "Bearer sk-bo" });
    expect(posts(here.provider.requests)).toEqual([]);
  });

  test("are found only where the person asks: not for channels, settings and other work of the service", async () => {
    await here.connect();
    const ctx = await contextFor(here.world, here.ada);
    expect(await findModel(ctx, mine, { direct: true })).toMatchObject({
      isDirect: true,
      alternatives: [],
      params: {},
    });
    await expect(findModel(ctx, mine)).rejects.toMatchObject({ code: "model_not_found" });
    await expect(findModel(ctx, mine, { asService: true })).rejects.toMatchObject({ code: "model_not_found" });
    await expect(requireModelRight(ctx, mine)).resolves.toBeUndefined();
    await here.set("ENABLE_DIRECT_CONNECTIONS", false);
    await expect(requireModelRight(await contextFor(here.world, here.ada), mine)).rejects.toMatchObject({
      code: "model_not_found",
    });
  });

  test("are not there for code that others wrote", async () => {
    await here.connect();
    await install(here.world, {
      id: "nosy",
      source: `export class Pipe { async pipe(body, __service__) {
        const models = await __service__.request("model.list", {});
        const inner = await __service__.complete({ model: "${mine}", messages: body.messages }).catch((error) => error.message);
        return JSON.stringify([models.map(({ id }) => id), inner]);
      } }`,
    });
    const { body } = await here.ask("nosy");
    const said = (body as unknown as { choices: { message: { content: string } }[] }).choices[0]!.message.content;
    const [listed, inner] = JSON.parse(said) as [string[], string];
    expect(listed).toContain("tide");
    expect(listed).not.toContain(mine);
    expect(inner).toMatch(/does not exist, or you have no access/);
    expect(posts(here.provider.requests)).toEqual([]);
    expect(said).not.toContain(answered);
  });

  test("are no base of other models, and no other model has such an id", async () => {
    await here.connect();
    const maker = await personWith(here.world, { workspace: { models: true } });
    await here.connect({}, maker);
    const make = (json: Record<string, unknown>) =>
      here.world.call("/api/v1/models/create", { as: maker, json: { name: "M", meta: {}, params: {}, ...json } });
    expect((await make({ id: "pilot", base_model_id: mine })).status).toBe(422);
    expect((await make({ id: mine, base_model_id: "tide" })).status).toBe(422);
    expect((await make({ id: "pilot", base_model_id: "tide" })).status).toBe(200);
  });

  test("count in no quota; the ledger tells neither model nor connection", async () => {
    await here.connect();
    const admin = await here.world.admin();
    for (const unit of ["requests", "tokens"])
      await here.world.call("/api/v1/quotas", {
        as: admin,
        json: { scope: "person", subject_id: here.ada.id, unit, period: "day", amount: 1 },
      });
    for (let times = 0; times < 3; times++) expect((await here.ask(mine)).status).toBe(200);
    await here.world.settled();
    expect(await here.world.db.select().from(usageRecords)).toMatchObject(
      Array.from({ length: 3 }, () => ({ model: "direct", baseModel: "direct", connectionId: "direct", total: 12 })),
    );
    expect((await here.ask("tide")).status).toBe(200);
    expect((await here.ask("tide")).status).toBe(429);
    const now = await here.world.call<{ model_ids: string[] }>("/api/usage", { as: admin });
    expect(now.body.model_ids).not.toContain("direct");
    for (const path of ["/api/v1/usage/admin", "/api/v1/usage/admin/calls", "/api/v1/audit"])
      expect(JSON.stringify((await here.world.call(path, { as: admin })).body)).not.toContain("direct.mine");
  });

  test("are asked through the guard, also when the address was stored before it was forbidden", async () => {
    const { id } = await here.connect();
    await here.world.client.execute({
      sql: "UPDATE direct_connections SET base_url = 'http://10.1.2.3/v1', model_ids = '[\"tide\"]' WHERE id = ?",
      args: [id],
    });
    const { status, body } = await here.ask(mine);
    expect([status, JSON.stringify(body)]).toEqual([
      expect.any(Number),
      expect.stringContaining("address_not_allowed"),
    ]);
  });

  test("cost no round trip where nobody may have them, and one where one asks for them", async () => {
    await here.connect();
    const cost = async (work: () => Promise<unknown>) => {
      await here.world.settled();
      here.world.roundTrips.reset();
      await work();
      return here.world.roundTrips.count - here.world.roundTrips.ledger;
    };
    await Promise.all([here.ask("tide"), here.ask(mine), ids()]);
    const service = await cost(() => here.ask("tide"));
    expect(await cost(() => here.ask(mine))).toBeLessThanOrEqual(service + 2);
    const listed = await cost(() => ids());
    await here.set("ENABLE_DIRECT_CONNECTIONS", false);
    expect(await cost(() => ids())).toBe(listed - 1);
    expect(await cost(() => here.ask("tide"))).toBe(service);
  });

  test("of a provider whose list is very large are not read", async () => {
    const { id } = await here.connect();
    here.provider.behave(talking(...Array.from({ length: 60 }, (_, at) => `${at}${"m".repeat(80_000)}`)));
    const trial = await here.world.call<{ ok: boolean; reason: string }>("/api/v1/users/user/connections/verify", {
      as: here.ada,
      json: { id },
    });
    expect(trial.body).toMatchObject({ ok: false, reason: "too_large", error: expect.stringContaining("4 MB") });
  });

  test("of a provider that lists very many: a thousand are kept", async () => {
    here.provider.behave(talking(...Array.from({ length: 1500 }, (_, at) => `m${at}`)));
    await here.connect();
    expect(await ids()).toHaveLength(1001);
  });
});
