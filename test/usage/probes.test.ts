import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { UsageCall } from "../../src/usage/schema.ts";
import { startReplayServer, type ReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { makeService, makeServiceKey } from "../people/service-accounts/service-world.ts";
import { createWorld, type Person, type World } from "../world.ts";

let world: World;
let upstream: ReplayServer;
let admin: Person;
beforeEach(async () => {
  upstream = await startReplayServer();
  world = await createWorld({ environment: { OPENAI_API_BASE_URLS: upstream.url, ENABLE_API_KEYS: "true" } });
  admin = await world.admin();
});
afterEach(async () => {
  await world.close();
  await upstream.close();
});

const small = { model: "openai", max_tokens: 512, messages: [{ role: "user", content: "pong" }] };

async function probe(as: Person | string, json: object = small, header: string | null = "1") {
  const headers: Record<string, string> = header === null ? {} : { "x-parley-probe": header };
  const { status } = await world.call("/api/chat/completions", { as, json, headers });
  await world.settled();
  return status;
}

const calls = async () =>
  (await world.call<{ calls: UsageCall[] }>("/api/v1/usage/admin/calls", { as: admin })).body.calls;
const limit = async (values: object) => {
  const json = { scope: "everyone", unit: "requests", period: "day", amount: 1, ...values };
  const { status, body } = await world.call<{ id: string }>("/api/v1/quotas", { as: admin, json });
  expect(status).toBe(200);
  return body.id;
};

async function monitor(freeProbes: number) {
  const { id } = await makeService(world, admin, { free_probes: freeProbes });
  const { api_key: key } = await makeServiceKey(world, admin, id);
  const used = async () => {
    const { body } = await world.call<{ quotas: { unit: string; used: number }[] }>("/api/v1/usage/quotas", {
      as: key,
    });
    return Object.fromEntries(body.quotas.map(({ unit, used: each }) => [unit, each]));
  };
  return { id, key, used };
}

describe("a probe", () => {
  test("is marked in the ledger and in reports, whoever makes it, by the header alone", async () => {
    const ada = await world.person();
    expect(await probe(ada)).toBe(200);
    expect(await probe(ada, small, null)).toBe(200);
    expect(await probe(ada, small, "yes")).toBe(200);
    expect((await calls()).map(({ is_probe: isProbe, is_free: isFree }) => [isProbe, isFree])).toEqual([
      [false, false],
      [false, false],
      [true, false],
    ]);
    const { body } = await world.call<{ totals: object }>("/api/v1/usage", { as: ada });
    expect(body.totals).toMatchObject({ calls: 3, requests: 3, probes: 1 });
  });

  test("counts in no quota where an administrator says so, of requests and of tokens, before and after the quota is set", async () => {
    const { key, used } = await monitor(10);
    expect(await probe(key)).toBe(200);
    await limit({});
    await limit({ unit: "tokens", amount: 1 });
    await limit({ period: "hour" });
    await limit({ unit: "tokens", period: "hour", amount: 1 });
    expect(await used()).toEqual({ requests: 0, tokens: 0 });
    expect(await probe(key)).toBe(200);
    expect(await probe(key)).toBe(200);
    expect(await used()).toEqual({ requests: 0, tokens: 0 });
    expect(await calls()).toMatchObject([
      { is_probe: true, is_free: true },
      { is_probe: true, is_free: true },
      { is_probe: true, is_free: true },
    ]);
    // What it asks otherwise counts.
    expect(await probe(key, small, null)).toBe(200);
    expect(await used()).toMatchObject({ requests: 1 });
    expect(await probe(key, small, null)).toBe(429);
    expect(await probe(key)).toBe(200);
  });

  test("counts where nobody says so: of people, of administrators and of other service accounts", async () => {
    await limit({});
    const { key } = await monitor(0);
    for (const caller of [await world.person(), admin, key]) {
      expect(await probe(caller)).toBe(200);
      expect(await probe(caller)).toBe(429);
    }
    expect((await calls()).every((call) => !call.is_free)).toBe(true);
  });

  test("counts beyond the number in an hour, also when all come at once", async () => {
    await limit({ amount: 2 });
    const { key } = await monitor(3);
    const answers = await Promise.all(Array.from({ length: 8 }, () => probe(key)));
    expect(answers.filter((status) => status === 200)).toHaveLength(5);
    expect(answers.filter((status) => status === 429)).toHaveLength(3);
    world.advance(3600);
    expect(await probe(key)).toBe(200);
  });

  test.each([
    ["lets the model write without an end", { max_tokens: undefined }],
    ["lets the model write much", { max_tokens: 1025 }],
    ["lets the model write much under the other name", { max_completion_tokens: 5000 }],
    ["is long", { messages: [{ role: "user", content: "x".repeat(4000) }] }],
    ["says nonsense", { max_tokens: "512" }],
  ])("counts where it %s", async (_what, more) => {
    await limit({ amount: 0 });
    const { key } = await monitor(10);
    expect(await probe(key)).toBe(200);
    expect(await probe(key, { ...small, ...more })).not.toBe(200);
    expect(await calls()).toHaveLength(1);
  });

  test("costs one round trip more, and other calls none", async () => {
    const { key } = await monitor(100);
    await probe(key);
    const cost = async (header: string | null) => {
      world.roundTrips.reset();
      expect(await probe(key, small, header)).toBe(200);
      return world.roundTrips.count - world.roundTrips.ledger;
    };
    expect((await cost("1")) - (await cost(null))).toBe(1);
  });

  test("is nobody's choice but a system administrator's", async () => {
    const { id } = await monitor(0);
    const mara = await world.person();
    await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [mara.id] });
    const change = async (as: Person, userId: string, json: object) =>
      (await world.call(`/api/v1/users/${userId}/update`, { as, json })).status;
    expect(await change(mara, id, { free_probes: 5 })).toBe(403);
    expect(await change(admin, mara.id, { free_probes: 5 })).toBe(422);
    expect(await change(admin, id, { free_probes: 361 })).toBe(422);
    expect(await change(admin, id, { free_probes: 60 })).toBe(200);
    const { rows } = await world.client.execute(
      "SELECT json(detail) AS detail FROM audit_events WHERE action = 'service_account.free_probes_updated'",
    );
    expect(rows.map((row) => JSON.parse(String(row["detail"])))).toEqual([{ from: 0, to: 60 }]);
  });
});

test("a probe in the Messages form counts in no quota either", async () => {
  await limit({ amount: 0 });
  const { key } = await monitor(10);
  const headers = { "x-parley-probe": "1" };
  const json = { model: "openai", max_tokens: 100, messages: [{ role: "user", content: "pong" }] };
  expect((await world.call("/api/v1/messages", { as: key, json, headers })).status).toBe(200);
  expect((await world.call("/api/v1/messages", { as: key, json })).status).toBe(429);
});
