import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callApi, signUpByApi } from "../browser/accounts.ts";
import { textOf } from "../chat/functions/events-of.ts";
import { handleRequest } from "../fixtures/handle-request.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../fixtures/upstreams/scripted-upstream.ts";
import { type Receiver, startReceiver } from "../webhooks/start-receiver.ts";
import { ChannelTab } from "./channel-tab.ts";
import { openDatabase } from "./socket-crowd.ts";
import { type Parley, startParley } from "./start-parley.ts";

/*
 * All Workers as the edge binds them, by `npm run dev:edge`: no gate, no network of its own, no pools of processes, no launcher around
 * them; objects, queues and Durable Objects are those of wrangler.
 */

const waits = { timeout: 60_000, interval: 100 };

let parley: Parley;
let upstream: ScriptedUpstream;
let embedder: Server;
let receiver: Receiver;
let token: string;
let person: { id: string; token: string };
const embedded: string[] = [];

const api = <T>(method: string, address: string, body?: object, as = token): Promise<T> =>
  callApi<T>(parley.url, as, method, address, body);

/** Vectors of a text: how often it has each letter. */
async function startEmbedder(): Promise<Server> {
  const server = createServer(
    handleRequest(async (request, response) => {
      response.setHeader("content-type", "application/json");
      if (request.method === "GET")
        return void response.end(JSON.stringify({ object: "list", data: [{ id: "letters" }] }));
      const { input } = JSON.parse(await text(request)) as { input: string[] };
      embedded.push(...input);
      const count = (words: string) =>
        Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => words.toLowerCase().split(letter).length);
      const data = input.map((words, index) => ({ object: "embedding", index, embedding: count(words) }));
      response.end(
        JSON.stringify({ object: "list", model: "letters", data, usage: { prompt_tokens: 1, total_tokens: 1 } }),
      );
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

beforeAll(async () => {
  embedder = await startEmbedder();
  receiver = await startReceiver();
  upstream = await startScriptedUpstream({
    reader: ({ messages }) => ({
      content: JSON.stringify(messages).includes("21:40") ? "It leaves at 21:40. [1]" : "I found nothing.",
    }),
    endless: () => ({ content: "first and then on and on", endless: "talking" }),
    caller: ({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? { content: `The tool says ${String(messages.at(-1)?.content)}` }
        : { calls: [{ name: "count", arguments: { words: "three short words" } }] },
  });
  parley = await startParley({
    command: [process.execPath, "scripts/dev-edge.ts"],
    env: {
      OPENAI_API_BASE_URLS: `${upstream.url};http://127.0.0.1:${(embedder.address() as AddressInfo).port}/v1`,
      RAG_EMBEDDING_MODEL: "letters",
      PLUGIN_TIMEOUT: "2",
      OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(receiver.url).host,
    },
  });
  ({ token } = await signUpByApi(parley.url, {
    name: "Ada",
    email: "ada@harbour.example",
    password: "correct horse battery staple",
  }));
  const added = { name: "Ben", email: "ben@harbour.example", password: "correct horse battery staple", role: "user" };
  person = await api<{ id: string; token: string }>("POST", "/api/v1/auths/add", added);
  await api("POST", "/api/v1/organizations", { name: "Pilots" });
});
afterAll(async () => {
  await parley?.stop();
  await receiver?.close();
  await upstream?.close();
  embedder?.close();
});

test("the UI, unknown addresses and the health levels", async () => {
  const page = await fetch(`${parley.url}/c/some-page-of-the-ui`);
  expect(page.headers.get("content-type")).toContain("text/html");
  expect((await fetch(`${parley.url}/api/nothing-here`)).status).toBe(404);
  expect(await (await fetch(`${parley.url}/health`)).json()).toEqual({ status: true });
});

test("an upload is read by the extractor, embedded by messages of queues, kept in the bucket, and cited in an answer", async () => {
  const handbook = "# Ferries\n\nThe last ferry to Skagen leaves at 21:40 from the northern quay.\n";
  const form = new FormData();
  form.set("file", new Blob([handbook], { type: "text/markdown" }), "handbook.md");
  const headers = { authorization: `Bearer ${token}` };
  const uploaded = await fetch(`${parley.url}/api/v1/files/`, { method: "POST", headers, body: form });
  const { id } = (await uploaded.json()) as { id: string };
  await vi.waitFor(
    async () => expect(await api("GET", `/api/v1/files/${id}/process/status`)).toMatchObject({ status: "completed" }),
    waits,
  );
  expect(embedded.join(" ")).toContain("21:40");
  expect(await (await fetch(`${parley.url}/api/v1/files/${id}/content`, { headers })).text()).toBe(handbook);
  const answer = await api<{ choices: { message: { content: string } }[]; sources: unknown[] }>(
    "POST",
    "/api/chat/completions",
    {
      model: "reader",
      messages: [{ role: "user", content: "When does the last ferry leave?" }],
      files: [{ type: "file", id }],
    },
  );
  expect(answer.choices[0]?.message.content).toContain("21:40");
  expect(answer.sources).toHaveLength(1);
});

test("a Python tool runs in an isolate that the plugin host loads, called by a model in a stream", async () => {
  const content = `
class Tools:
    def count(self, words: str) -> int:
        """
        Counts words.
        :param words: the text
        """
        return len(words.split())
`;
  await api("POST", "/api/v1/tools/create", { id: "counter", name: "Counter", meta: { description: "" }, content });
  const response = await fetch(`${parley.url}/api/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "caller",
      stream: true,
      tool_ids: ["counter"],
      messages: [{ role: "user", content: "How many words?" }],
    }),
  });
  expect(textOf(await response.text())).toBe("The tool says 3");
});

test("a plugin that never ends is over at the time limit of its call; what is asked meanwhile is answered", async () => {
  // One that never pauses has a bound of processor time, which only the edge itself enforces.
  const content =
    "export class Tools { async spin() { for (;;) await new Promise((resolve) => setTimeout(resolve, 1)); } }";
  await api("POST", "/api/v1/tools/create", { id: "loop", name: "Loop", meta: { description: "" }, content });
  const over = new AbortController();
  const trial = api("POST", "/api/v1/tools/id/loop/try", { method: "spin", args: {} }).finally(() => over.abort());
  while (!over.signal.aborted) expect((await fetch(`${parley.url}/health`)).status).toBe(200);
  expect(await trial).toMatchObject({ ok: false, error: { code: "timeout" } });
});

test("a channel's post reaches the tabs of others, over the hub and the sessions' objects", async () => {
  const access_grants = [{ principal_type: "user", principal_id: person.id, permission: "write" }];
  const { id } = await api<{ id: string }>("POST", "/api/v1/channels/create", {
    name: "deploys",
    type: "group",
    user_ids: [person.id],
    access_grants,
  });
  const tab = new ChannelTab(parley.url, id, person);
  await tab.connect();
  try {
    await api("POST", `/api/v1/channels/${id}/messages/post`, { content: "The crane is free" });
    await vi.waitFor(() => expect(tab.messages?.map(({ content }) => content)).toEqual(["The crane is free"]), waits);
  } finally {
    tab.close();
  }
});

test("a webhook is signed and delivered by the queue", async () => {
  await api("PUT", "/api/v1/webhooks/service", { url: receiver.url, is_enabled: true });
  await signUpByApi(parley.url, { name: "Cleo", email: "cleo@harbour.example", password: "correct horse battery" });
  await vi.waitFor(() => expect(receiver.received.map(({ body }) => body).join()).toContain("Cleo"), waits);
  expect(receiver.received[0]?.headers).toMatchObject({
    "webhook-signature": expect.stringContaining("v1,") as string,
  });
});

test("a person who is switched off loses the answer that is being written", async () => {
  const response = await fetch(`${parley.url}/api/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "endless", stream: true, messages: [{ role: "user", content: "Go on" }] }),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBeDefined();
  await api("POST", `/api/v1/users/${person.id}/update`, { active: false });
  let last = "";
  for (let step = await reader.read(); !step.done; step = await reader.read()) last = step.value;
  expect(last).toContain("session_ended");
  await expect(upstream.exchanges.at(-1)?.over).resolves.toBe("left");
});

test("the cron removes what has expired", async () => {
  const { db } = openDatabase({ ...parley, dataDir: path.join(parley.dataDir, "edge") });
  const count = async () =>
    (await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM sessions WHERE user_id = ${person.id}`))[0]
      ?.count;
  await db.run(sql`UPDATE sessions SET expires_at = 1 WHERE user_id = ${person.id}`);
  expect((await fetch(`${parley.url}/cdn-cgi/local/scheduled`)).status).toBe(200);
  await vi.waitFor(async () => expect(await count()).toBe(0), waits);
});

test("the data is there after a restart", async () => {
  await parley.restart();
  const { items } = await api<{ items: { filename: string }[] }>("GET", "/api/v1/files/");
  expect(items.map(({ filename }) => filename)).toEqual(["handbook.md"]);
});
