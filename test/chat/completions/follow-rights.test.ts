import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { providers } from "../../fixtures/upstreams/providers.ts";
import { type ReplayServer, startReplayServer } from "../../fixtures/upstreams/replay-server.ts";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let upstream: ReplayServer;
let ada: Person;
beforeEach(async () => {
  upstream = await startReplayServer();
  upstream.models = Object.keys(providers);
  world = await createWorld({ environment: { OPENAI_API_BASE_URLS: upstream.url } });
  ada = await world.person();
});
afterEach(async () => {
  // What is written down soon after an answer would otherwise wait for a timer that never comes.
  if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  await world.close();
  await upstream.close();
});

const switchedOff = () => new AppError("account_inactive", "The account is switched off");
const ask = (more: object, signal: AbortSignal | null = null) =>
  world.request("/api/chat/completions", {
    as: ada,
    json: { model: "openai", messages: [{ role: "user", content: "What is the capital of France?" }], ...more },
    signal,
  });

const followed = () => vi.waitUntil(() => world.live.followed.length === 1, { timeout: 30_000 });

test("a stream that is over at once costs no call", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  expect(await (await ask({ stream: true })).text()).toContain("[DONE]");
  await vi.advanceTimersByTimeAsync(5000);
  expect(world.live.followed).toEqual([]);
});

test("a stream is followed from almost its beginning to its end", async () => {
  const hold = upstream.holdAfter(2);
  const answer = ask({ stream: true });
  await hold.reached;
  await followed();
  expect(world.live.followed).toMatchObject([
    { credential: { userId: ada.id, kind: "session", id: ada.sessionId }, model: "openai" },
  ]);
  hold.release();
  expect(await (await answer).text()).toContain("[DONE]");
  expect(world.live.followed).toEqual([]);
});

test("a stream that is refused ends with the reason as its last event, and lets the provider go", async () => {
  const hold = upstream.holdAfter(4);
  const response = await ask({ stream: true });
  await hold.reached;
  await followed();
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value: before } = await reader.read();
  expect(before).toContain("data: ");
  world.live.followed[0]!.refuse(switchedOff());
  let after = "";
  for (let step = await reader.read(); !step.done; step = await reader.read()) after += step.value;
  const last = after.trim().split("\n\n").at(-1)!;
  expect(JSON.parse(last.replace("data: ", ""))).toEqual({
    error: {
      message: "The account is switched off",
      type: "authentication_error",
      param: null,
      code: "account_inactive",
      status: 401,
    },
  });
  expect(after).not.toContain("[DONE]");
  const request = upstream.requests.at(-1)!;
  await request.over;
  expect(request.aborted).toBe(true);
  hold.release();
});

test("one that is refused before its first event is answered with the status", async () => {
  const hold = upstream.holdAfter(0);
  const answer = ask({ stream: true });
  await followed();
  await hold.reached;
  world.live.followed[0]!.refuse(switchedOff());
  const response = await answer;
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe("Bearer");
  expect(await response.json()).toMatchObject({ error: { code: "account_inactive", type: "authentication_error" } });
  hold.release();
});

test("a caller who leaves is followed no longer", async () => {
  const hold = upstream.holdAfter(2);
  const leaving = new AbortController();
  const response = await ask({ stream: true }, leaving.signal);
  await hold.reached;
  await followed();
  const reading = response.text();
  leaving.abort();
  await expect(reading).rejects.toThrow();
  await vi.waitUntil(() => world.live.followed.length === 0, { timeout: 30_000 });
  hold.release();
});

test("a whole answer is followed only when it takes its time, and is not given to somebody who is refused meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await (await ask({})).text();
  await vi.advanceTimersByTimeAsync(5000);
  expect(world.live.followed).toEqual([]);

  const asked = upstream.nextRequest();
  const hold = upstream.holdAfter(0);
  const answer = ask({});
  await asked;
  await hold.reached;
  expect(world.live.followed).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.live.followed).toMatchObject([{ model: "openai" }]);
  world.live.followed[0]!.refuse(switchedOff());
  const response = await answer;
  expect(response.status).toBe(401);
  expect(await response.text()).not.toContain(providers["openai"]!.content);
  hold.release();
});

test("what is kept of a refused answer in its chat says why it ended", async () => {
  const { body: chat } = await world.call<{ id: string }>("/api/v1/chats/new", {
    as: ada,
    json: { chat: { title: "Capitals" } },
  });
  const hold = upstream.holdAfter(4);
  const response = await ask({ stream: true, chat_id: chat.id });
  await hold.reached;
  await followed();
  const reading = response.text();
  world.live.followed[0]!.refuse(new AppError("model_not_found", "The model is not for you"));
  await reading;
  hold.release();
  await world.settled();
  const { body } = await world.call<{
    chat: { history: { currentId: string; messages: Record<string, { state: string; error?: object }> } };
  }>(`/api/v1/chats/${chat.id}`, { as: ada });
  const { currentId, messages } = body.chat.history;
  expect(messages[currentId]).toMatchObject({ state: "error", error: { code: "model_not_found" } });
});
