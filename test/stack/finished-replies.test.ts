import { afterAll, beforeAll, expect, it } from "vitest";
import { ada, callApi, signUpByApi } from "../browser/accounts.ts";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { answers, type Receiver, startReceiver, verified } from "../webhooks/start-receiver.ts";
import { type Parley, startParley } from "./start-parley.ts";

/** Longer than a killed job's lease and the pause before the next look. */
const patience = { timeout: 90_000, interval: 250 };
let parley: Parley;
let upstream: ReplayServer;
let receiver: Receiver;
let token: string;

beforeAll(async () => {
  [parley, upstream, receiver] = await Promise.all([
    startParley({ env: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ENABLE_TITLE_GENERATION: "false" } }),
    startReplayServer({ fixtures: ["openai"] }),
    startReceiver(),
  ]);
  ({ token } = await signUpByApi(parley.url, ada));
  await call("POST", "/api/v1/connections", { name: "Replay", base_url: upstream.url });
});
afterAll(() => Promise.all([parley.stop(), upstream.close(), receiver.close()]));

const call = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);
const messages = [{ role: "user", content: "What is the capital of France?" }];
const newChat = async (title: string) =>
  (await call<{ id: string }>("POST", "/api/v1/chats/new", { chat: { title } })).id;

async function ask(more: object, path = "/api/chat/completions"): Promise<void> {
  const response = await fetch(parley.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "openai", messages, ...more }),
  });
  expect(response.status).toBe(200);
  await response.text();
}

const told = () =>
  receiver.received.map(({ body }) => JSON.parse(body) as { event: string; chat: { id: string; title: string } });

it("a person's webhook is told of what any client asked for in a stored chat, and of nothing else", async () => {
  const webhook_url = receiver.url;
  await call("POST", "/api/v1/users/user/settings/update", { ui: { notifications: { webhook_url } } });
  await ask({});
  await ask({ max_tokens: 100 }, "/api/v1/messages");
  await ask({ chat_id: "temporary:1" });
  const streamed = await newChat("Streamed");
  await ask({ chat_id: streamed, stream: true });
  const whole = await newChat("Whole");
  await ask({ chat_id: whole });
  const background = await newChat("Background");
  await ask({ chat_id: background, session_id: "a script's", id: "answer", user_message: { id: "q", ...messages[0] } });

  await expect
    .poll(
      () =>
        told()
          .map(({ event, chat }) => `${event} ${chat.title}`)
          .toSorted(),
      patience,
    )
    .toEqual(["chat_response Background", "chat_response Streamed", "chat_response Whole"]);
  const { secret } = await call<{ secret: string }>("GET", "/api/v1/webhooks/own/secret");
  for (const received of receiver.received)
    expect(verified(secret, received)).toEqual({
      event: "chat_response",
      chat: {
        id: expect.any(String),
        title: expect.any(String),
        last_message: expect.stringContaining("Paris is the capital of France"),
      },
    });
});

it("a crash between the end of an answer and its delivery loses nothing, and the delivery keeps its id", async () => {
  receiver.received.length = 0;
  // Nobody hears anything of it until the service is gone.
  receiver.behave(() => undefined);
  const chatId = await newChat("Survives");
  await ask({ chat_id: chatId });
  await expect.poll(() => told().length, patience).toBe(1);
  await parley.kill9All();
  receiver.behave(answers(204));
  await parley.restart();
  await expect.poll(() => told().length, patience).toBeGreaterThan(1);
  const [first, second] = receiver.received;
  expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  expect(second!.body).toBe(first!.body);
  expect(told()[1]).toMatchObject({ event: "chat_response", chat: { id: chatId, title: "Survives" } });
  const { deliveries } = await call<{ deliveries: { webhook_id: string; about: string; state: string }[] }>(
    "GET",
    "/api/v1/webhooks/own/deliveries",
  );
  expect(deliveries.filter(({ about }) => about === "Survives")).toHaveLength(1);
});
