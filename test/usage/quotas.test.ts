import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../src/lib/id.ts";
import { groupMembers, groups } from "../../src/people/groups/tables.ts";
import type { Quota, QuotaLeft } from "../../src/usage/quotas/schema.ts";
import { startReplayServer, type ReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";

let world: World;
let upstream: ReplayServer;
let admin: Person;
let ada: Person;
beforeEach(async () => {
  upstream = await startReplayServer();
  world = await createWorld({ environment: { OPENAI_API_BASE_URLS: upstream.url } });
  admin = await world.admin();
  ada = await world.person();
});
afterEach(async () => {
  await world.close();
  await upstream.close();
});

const complete = (as: { token: string } = ada, model = "openai") =>
  world.call<{ error?: { code: string; message: string; type: string } }>("/api/chat/completions", {
    as,
    json: { model, messages: [{ role: "user", content: "Hello" }] },
  });

async function limit(values: object, as: Person = admin): Promise<Quota> {
  const json = { scope: "everyone", unit: "requests", period: "day", amount: 1, ...values };
  const { status, body } = await world.call<Quota>("/api/v1/quotas", { as, json });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const left = async (as: Person = ada) =>
  (await world.call<{ quotas: QuotaLeft[] }>("/api/v1/usage/quotas", { as })).body.quotas;

async function group(...people: Person[]): Promise<string> {
  const id = newId();
  await world.db.batch([
    world.db.insert(groups).values({
      id,
      organizationId: defaultOrganizationId,
      name: "Crew",
      permissions: {},
      createdAt: 1,
      updatedAt: 1,
    }),
    ...people.map(({ id: userId }) => world.db.insert(groupMembers).values({ groupId: id, userId, createdAt: 1 })),
  ]);
  return id;
}

async function organization(name: string): Promise<string> {
  const { body } = await world.call<{ id: string }>("/api/v1/organizations", { as: admin, json: { name } });
  return body.id;
}

async function administrator(organizationId: string): Promise<Person> {
  const person = await world.person({ organizationId });
  await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [person.id] });
  return person;
}

describe("a request over a quota", () => {
  test("is 429 before any model is asked, and says when to come again", async () => {
    await limit({ amount: 2 });
    expect((await complete()).status).toBe(200);
    expect((await complete()).status).toBe(200);
    const asked = upstream.requests.filter(({ path }) => path.endsWith("/completions")).length;
    const { status, headers, body } = await complete();
    expect(status).toBe(429);
    expect(body.error).toMatchObject({ code: "quota_exceeded", type: "rate_limit_error" });
    expect(body.error?.message).toContain("2 requests a day");
    const untilMidnight = 86_400 - (world.services.now() % 86_400);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(untilMidnight - 20);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(untilMidnight);
    expect(headers.get("x-should-retry")).toBe(untilMidnight > 60 ? "false" : null);
    expect(upstream.requests.filter(({ path }) => path.endsWith("/completions"))).toHaveLength(asked);
    expect(await left()).toMatchObject([{ counts: "person", used: 2, left: 0, amount: 2 }]);
    expect((await complete(await world.person())).status).toBe(200);
  });

  test("is let through again in the next window", async () => {
    await limit({ amount: 1, period: "hour" });
    await complete();
    expect((await complete()).status).toBe(429);
    world.advance(3600);
    expect((await complete()).status).toBe(200);
  });

  test("is one of no more than are left, however many come at once", async () => {
    await limit({ amount: 3 });
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await complete()).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, ...Array.from({ length: 9 }, () => 429)]);
  });

  test("counts the tokens of answers that nobody has written down yet", async () => {
    await limit({ unit: "tokens", amount: 50 });
    expect((await complete()).status).toBe(200);
    expect(await left()).toMatchObject([{ used: 38, left: 12 }]);
    expect((await complete()).status).toBe(200);
    expect((await complete()).status).toBe(429);
    await world.settled();
    expect(await left()).toMatchObject([{ used: 76, left: 0 }]);
    expect((await complete()).status).toBe(429);
  });

  test("holds for embeddings, and in the errors of their dialect", async () => {
    await limit({ amount: 0 });
    const { status, body } = await world.call("/api/embeddings", { as: ada, json: { model: "openai", input: "x" } });
    expect(status).toBe(429);
    expect(body).toMatchObject({ error: { code: "quota_exceeded" } });
  });
});

describe("a quota", () => {
  test("costs no round trip where there is none, or none for the caller, and one where there is", async () => {
    const count = async () => {
      await world.settled();
      world.roundTrips.reset();
      const asked = upstream.nextRequest();
      const answer = complete();
      await asked;
      const before = world.roundTrips.count;
      await answer;
      return before;
    };
    await complete();
    await complete();
    expect(await count()).toBe(1);
    const quota = await limit({ scope: "person", subject_id: admin.id });
    await count();
    expect(await count()).toBe(1);
    await limit({ amount: 100 });
    await count();
    expect(await count()).toBe(2);
    await world.call(`/api/v1/quotas/${quota.id}`, { method: "DELETE", as: admin });
  });

  test("of a model holds for models made of it, and for no other", async () => {
    await limit({ model: "openai", amount: 1 });
    await world.call("/api/v1/models/create", {
      as: admin,
      json: { id: "own", base_model_id: "openai", name: "Own", meta: {}, params: {} },
    });
    expect((await complete(admin, "own")).status).toBe(200);
    expect((await complete(admin, "own")).status).toBe(429);
    expect((await complete(admin, "openai")).status).toBe(429);
    expect((await complete(admin, "azure")).status).toBe(200);
  });

  test("counts what was used before it was made, and goes on after a change", async () => {
    await complete();
    await complete();
    await world.settled();
    for (const period of ["hour", "day", "month"]) {
      const quota = await limit({ unit: "tokens", period, amount: 77 });
      expect(await left()).toMatchObject([{ used: 76, left: 1 }]);
      await world.call(`/api/v1/quotas/${quota.id}`, { method: "DELETE", as: admin });
    }
    const quota = await limit({ amount: 2, period: "month" });
    expect((await complete()).status).toBe(429);
    await world.call(`/api/v1/quotas/${quota.id}`, { method: "PATCH", as: admin, json: { amount: null } });
    expect((await complete()).status).toBe(200);
    await world.settled();
    await world.call(`/api/v1/quotas/${quota.id}`, { method: "PATCH", as: admin, json: { amount: 4 } });
    expect(await left()).toMatchObject([{ used: 3, left: 1 }]);
  });

  test("of the person counts instead of the group's, the larger group's instead of everyone's", async () => {
    await limit({ amount: 0 });
    expect((await complete()).status).toBe(429);
    await limit({ scope: "group", subject_id: await group(ada), amount: 0 });
    await limit({ scope: "group", subject_id: await group(ada), amount: 5 });
    expect(await left()).toMatchObject([{ amount: 5 }]);
    const own = await limit({ scope: "person", subject_id: ada.id, amount: null });
    expect(await left()).toEqual([]);
    expect((await complete()).status).toBe(200);
    await world.call(`/api/v1/quotas/${own.id}`, { method: "DELETE", as: admin });
    expect(await left()).toMatchObject([{ amount: 5 }]);
  });

  test("that is shared is one amount for all of them, beside each one's own", async () => {
    const bo = await world.person({ name: "Bo" });
    await limit({ scope: "group", subject_id: await group(ada, bo), is_shared: true, amount: 2 });
    await limit({
      scope: "organization",
      subject_id: defaultOrganizationId,
      unit: "tokens",
      is_shared: true,
      amount: 1000,
    });
    await complete();
    await complete(bo);
    expect((await complete()).status).toBe(429);
    await world.settled();
    expect(await left(bo)).toMatchObject([
      { counts: "shared", name: "Crew", used: 2, left: 0 },
      { counts: "shared", used: 76, unit: "tokens" },
    ]);
    expect((await complete(await world.person())).status).toBe(200);
  });

  test("of a key holds for that key alone", async () => {
    await world.call("/api/v1/auths/admin/config", { as: admin, json: { ENABLE_API_KEYS: true } });
    const { body: key } = await world.call<{ api_key: string; id: string }>("/api/v1/auths/api_key", {
      as: admin,
      json: { name: "nightly" },
    });
    await limit({ scope: "key", subject_id: key.id, amount: 1 });
    expect((await complete({ token: key.api_key })).status).toBe(200);
    const refused = await complete({ token: key.api_key });
    expect(refused.status).toBe(429);
    expect(refused.body.error?.message).toContain("this API key");
    expect((await complete(admin)).status).toBe(200);
    await world.call(`/api/v1/auths/api_keys/${key.id}`, { as: admin, method: "DELETE" });
    expect((await world.call<{ quotas: Quota[] }>("/api/v1/quotas", { as: admin })).body.quotas).toEqual([]);
  });

  test("of an organization's administrators narrows what the service's allow, and holds for their people alone", async () => {
    const north = await organization("North");
    const boss = await administrator(north);
    const nia = await world.person({ organizationId: north });
    await limit({ amount: 2 });
    await limit({ scope: "organization", subject_id: north, amount: 100 }, boss);
    await complete(nia);
    await complete(nia);
    expect((await complete(nia)).status).toBe(429);
    await limit({ scope: "person", subject_id: nia.id, amount: 1 }, boss);
    expect((await left(nia)).map(({ amount }) => amount).toSorted()).toEqual([1, 2]);
    expect(await left(ada)).toMatchObject([{ amount: 2 }]);
    const others: [object, number][] = [
      [{ scope: "everyone" }, 403],
      [{ scope: "person", subject_id: ada.id }, 422],
      [{ scope: "organization", subject_id: defaultOrganizationId }, 422],
      [{ scope: "group", subject_id: await group() }, 422],
    ];
    for (const [values, status] of others) {
      const json = { unit: "requests", period: "day", amount: 1, ...values };
      expect((await world.call("/api/v1/quotas", { as: boss, json })).status).toBe(status);
    }
    const { body } = await world.call<{ quotas: Quota[] }>("/api/v1/quotas", { as: boss });
    expect(body.quotas.map(({ scope, organization_id: owner }) => [scope, owner])).toEqual([
      ["everyone", null],
      ["organization", north],
      ["person", north],
    ]);
    const [everyones] = body.quotas;
    const path = `/api/v1/quotas/${everyones!.id}`;
    expect((await world.call(path, { as: boss, method: "PATCH", json: { amount: 9 } })).status).toBe(404);
    expect((await world.call(path, { as: boss, method: "DELETE" })).status).toBe(404);
  });

  test("is there once, and goes with whom it is for", async () => {
    const bo = await world.person();
    await limit({ scope: "person", subject_id: bo.id });
    const json = { scope: "person", subject_id: bo.id, is_shared: true, unit: "requests", period: "day", amount: 5 };
    expect((await world.call("/api/v1/quotas", { as: admin, json })).status).toBe(409);
    await world.call(`/api/v1/users/${bo.id}`, { as: admin, method: "DELETE" });
    expect((await world.call<{ quotas: Quota[] }>("/api/v1/quotas", { as: admin })).body.quotas).toEqual([]);
  });

  test.each([
    [{ scope: "everyone", subject_id: "somebody" }],
    [{ scope: "person" }],
    [{ scope: "person", subject_id: "nobody" }],
    [{ amount: -1 }],
    [{ amount: 1.5 }],
    [{ unit: "euros" }],
    [{ period: "year" }],
    [{ colour: "green" }],
  ])("is refused as %j", async (values) => {
    const json = { scope: "everyone", unit: "requests", period: "day", amount: 1, ...values };
    expect((await world.call("/api/v1/quotas", { as: admin, json })).status).toBe(422);
  });
});
