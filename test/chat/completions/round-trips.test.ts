import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, expect, test, vi } from "vitest";
import { createSharedTimers } from "../../../src/lib/timers.ts";
import { startReplayServer, type ReplayServer } from "../../fixtures/upstreams/replay-server.ts";
import { createWorld, type World } from "../../world.ts";

/** What a call costs the database: counted in pipelines, as each is a round trip to a hosted database. */
let world: World;
let upstream: ReplayServer;
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await world.close();
  await upstream.close();
});

async function open() {
  upstream = await startReplayServer();
  world = await createWorld({
    environment: { OPENAI_API_BASE_URLS: upstream.url },
    services: { timers: createSharedTimers() },
  });
  const person = await world.admin();
  await world.settled();
  return {
    person,
    /** Round trips until the provider was asked, and the answer. */
    async complete(more: object = {}) {
      world.roundTrips.reset();
      const asked = upstream.nextRequest();
      const answer = world.request("/api/chat/completions", {
        as: person,
        json: { model: "openai", messages: [{ role: "user", content: "Hello" }], ...more },
      });
      await asked;
      const before = world.roundTrips.count;
      const response = await answer;
      expect(response.status).toBe(200);
      await response.text();
      await world.settled();
      return before;
    },
  };
}

test("a completion costs at most two round trips before the provider is asked, and one when the catalogue is known", async () => {
  const { person, complete } = await open();
  // The first look at a connection is also written down, but nobody waits for that.
  await complete();
  expect(await complete()).toBe(1);
  await world.call("/api/v1/models/create", {
    as: person,
    json: { id: "own", base_model_id: "openai", name: "Own", meta: {}, params: {} },
  });
  expect(await complete()).toBe(2);
  expect(await complete()).toBe(1);
  expect(await complete({ stream: true })).toBe(1);
});

test("one that is kept in a chat costs two", async () => {
  const { person, complete } = await open();
  await complete();
  const { body } = await world.call<{ id: string }>("/api/v1/chats/new", {
    as: person,
    json: { chat: { title: "Kept" } },
  });
  expect(await complete({ chat_id: body.id })).toBe(2);
});

test("a model list costs at most two, and health one", async () => {
  const { person, complete } = await open();
  await complete();
  await world.call("/api/v1/models/create", {
    as: person,
    json: { id: "own", base_model_id: "openai", name: "Own", meta: {}, params: {} },
  });
  for (const expected of [2, 1]) {
    await world.settled();
    world.roundTrips.reset();
    expect((await world.request("/api/models", { as: person })).status).toBe(200);
    expect(world.roundTrips.count).toBe(expected);
  }
  await world.settled();
  world.roundTrips.reset();
  expect((await world.request("/health")).status).toBe(200);
  expect(world.roundTrips.count).toBe(1);
});

test("what a completion watches (first byte, silence, its place, rights) takes one timer and one signal of the runtime", async () => {
  const { complete } = await open();
  await complete();
  // Files before this one share the process, and may have left something that still sets timers.
  const isOwn = new AsyncLocalStorage<true>();
  const times: number[] = [];
  const { setTimeout: start } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms = 0) => {
    if (isOwn.getStore()) times.push(ms);
    return start(work, ms);
  }) as typeof setTimeout);
  const repeated = vi.spyOn(globalThis, "setInterval");
  const joined = vi.spyOn(AbortSignal, "any");
  let made = 0;
  vi.stubGlobal(
    "AbortController",
    class extends AbortController {
      constructor() {
        super();
        // Node's fetch makes some too.
        const caller = new Error("made").stack?.split("\n")[2];
        if (isOwn.getStore() && caller?.includes("/src/")) made++;
      }
    },
  );
  await isOwn.run(true, complete);
  // Rights are followed first, after a second; a place shows life after five, and silence ends a call after minutes.
  expect(times.filter((ms) => ms > 500 && ms <= 1000)).toHaveLength(1);
  expect(times.filter((ms) => ms >= 5000)).toEqual([]);
  expect(repeated).not.toHaveBeenCalled();
  expect(joined).not.toHaveBeenCalled();
  expect(made).toBe(1);
});
