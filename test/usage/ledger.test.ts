import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readUsage } from "../../src/usage/read-usage.ts";
import type { UsageCallPage, UsageReport } from "../../src/usage/schema.ts";
import { providers } from "../fixtures/upstreams/providers.ts";
import { startReplayServer, type ReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { defaultOrganizationId, type Person, createWorld, type World } from "../world.ts";

let world: World;
let upstream: ReplayServer;
let ada: Person;
beforeEach(async () => {
  upstream = await startReplayServer();
  world = await createWorld({ environment: { OPENAI_API_BASE_URLS: upstream.url } });
  ada = await world.person();
});
afterEach(async () => {
  await world.close();
  await upstream.close();
});

/** What the question and the recordings' sentence are taken for, by their letters. */
const estimated = 28;
const question = [{ role: "user", content: "What is the capital of France?" }];

async function complete(model: string, more: object = {}, as: { token: string } = ada): Promise<string> {
  const answer = await world.request("/api/chat/completions", { as, json: { model, messages: question, ...more } });
  return answer.text();
}

async function calls(as: { token: string } = ada): Promise<UsageCallPage["calls"]> {
  return (await world.call<UsageCallPage>("/api/v1/usage/calls", { as })).body.calls;
}

describe("what a model was asked for stands in the ledger", () => {
  test.each(Object.entries(providers))("streamed and whole, as %s tells it", async (name, { streamTokens }) => {
    await complete(name, { stream: true });
    const whole = JSON.parse(await complete(name)) as { usage?: unknown };
    const [second, first] = await calls();
    expect(first).toMatchObject({
      model: name,
      api: "chat",
      state: "done",
      code: null,
      is_request: true,
      key_id: null,
    });
    expect(first).toMatchObject({ is_estimated: streamTokens === null, total: streamTokens ?? estimated });
    const { isEstimated: _, cacheWrite, ...said } = readUsage(whole)!;
    expect(second).toMatchObject({ state: "done", is_estimated: false, cache_write: cacheWrite, ...said });
  });

  test("whether the caller asked for its usage or not, and without a word of it in the stream", async () => {
    const stream = await complete("openai", { stream: true });
    expect(stream).not.toContain('"usage":{');
    expect(await calls()).toMatchObject([{ total: 38 }]);
  });

  test("with the key that asked, and the time that it took", async () => {
    await world.call("/api/v1/auths/admin/config", { as: await world.admin(), json: { ENABLE_API_KEYS: true } });
    const admin = await world.admin();
    const { body: key } = await world.call<{ api_key: string; id: string }>("/api/v1/auths/api_key", {
      as: admin,
      json: { name: "nightly" },
    });
    const before = world.services.now();
    await complete("openai", { stream: true }, { token: key.api_key });
    const [call] = await calls(admin);
    expect(call).toMatchObject({ key_id: key.id, key_name: "nightly", organization_id: defaultOrganizationId });
    expect(call!.first_ms).not.toBeNull();
    expect(call!.duration_ms).toBeGreaterThanOrEqual(call!.first_ms!);
    expect(call!.at).toBeGreaterThanOrEqual(before);
  });

  test("also when it failed, with the reason, and nothing used", async () => {
    upstream.models.push("fault-400");
    expect(await complete("fault-400")).toContain("error");
    const [call] = await calls();
    expect(call).toMatchObject({ state: "error", total: 0 });
    expect(call!.code).toBeTruthy();
  });

  test("also when the caller left: what had come until then is estimated", async () => {
    const hold = upstream.holdAfter(4);
    const abort = new AbortController();
    const response = await world.request("/api/chat/completions", {
      as: ada,
      signal: abort.signal,
      json: { model: "openai", messages: question, stream: true },
    });
    const reader = response.body!.getReader();
    await reader.read();
    await hold.reached;
    await reader.cancel();
    abort.abort();
    hold.release();
    await expect.poll(() => calls()).toHaveLength(1);
    expect(await calls()).toMatchObject([{ state: "stopped", is_estimated: true }]);
  });

  test("for embeddings", async () => {
    await world.request("/api/embeddings", { as: ada, json: { model: "openai", input: "Ships" } });
    expect(await calls()).toMatchObject([{ api: "embeddings", model: "openai" }]);
  });

  test("under the made model that was asked, and the one that it stands on", async () => {
    const admin = await world.admin();
    await world.call("/api/v1/models/create", {
      as: admin,
      json: { id: "own", base_model_id: "openai", name: "Own", meta: {}, params: {} },
    });
    await complete("own", {}, admin);
    expect(await calls(admin)).toMatchObject([{ model: "own", base_model: "openai" }]);
  });

  test("without a round trip before the answer, many in one batch after it, and once however often they are written", async () => {
    await complete("openai");
    await world.settled();
    world.roundTrips.reset();
    await Promise.all(Array.from({ length: 10 }, () => complete("openai")));
    expect(world.roundTrips.count).toBeLessThanOrEqual(10);
    await world.settled();
    expect(world.roundTrips.count).toBeLessThanOrEqual(10);
    expect(world.roundTrips.ledger).toBeGreaterThanOrEqual(1);
    expect(world.roundTrips.ledger).toBeLessThanOrEqual(2);
    expect(await calls()).toHaveLength(11);
    const { body } = await world.call<UsageReport>("/api/v1/usage", { as: ada });
    expect(body.totals).toMatchObject({ calls: 11, requests: 11, errors: 0, total: 11 * 38 });
  });

  test("when the database was away for a while, no later than it is back", async () => {
    await complete("openai");
    await world.settled();
    await world.client.execute(
      "CREATE TRIGGER away BEFORE INSERT ON usage_days BEGIN SELECT RAISE(ABORT, 'away'); END",
    );
    await complete("openai");
    await expect.poll(() => world.logged.some(({ message }) => message === "could not store usage")).toBe(true);
    await world.client.execute("DROP TRIGGER away");
    expect(await calls()).toHaveLength(2);
    const { body } = await world.call<UsageReport>("/api/v1/usage", { as: ada });
    expect(body.totals).toMatchObject({ calls: 2, total: 76 });
  });
});
