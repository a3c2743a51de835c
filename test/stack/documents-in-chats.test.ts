import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChatResponse } from "../../src/chat/conversations/schema.ts";
import { eventsOf, textOf } from "../chat/functions/events-of.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../fixtures/upstreams/scripted-upstream.ts";
import { startParley, type Parley } from "./start-parley.ts";

/** What an answer says of its documents. */
interface Looked {
  sources?: {
    source: { type: string; id: string | null; name: string };
    document: string[];
    metadata: Record<string, unknown>[];
    distances: number[];
  }[];
  warnings?: { type: string; id?: string; name: string; code: string; message: string }[];
}

let parley: Parley;
let upstream: ScriptedUpstream;
let token = "";

async function send(path: string, json?: unknown): Promise<Response> {
  return fetch(parley.url + path, {
    method: json === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
}
async function call<T = Record<string, unknown>>(path: string, json?: unknown): Promise<T> {
  const response = await send(path, json);
  const body = (await response.json()) as T;
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
}
async function upload(name: string, text: string): Promise<string> {
  const form = new FormData();
  form.set("file", new Blob([text], { type: "text/markdown" }), name);
  const response = await fetch(`${parley.url}/api/v1/files/`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, accept: "application/json" },
    body: form,
  });
  const body = (await response.json()) as { id: string };
  if (!response.ok) throw new Error(JSON.stringify(body));
  return body.id;
}
/** Asks until the answer is what is waited for; each question is a request, so nothing spins. */
async function until<T>(ask: () => Promise<T>, isThere: (answer: T) => boolean, what: string): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (isThere(answer)) return answer;
    if (Date.now() > end) throw new Error(`${what}: ${JSON.stringify(answer)}`);
  }
}
const processed = (id: string) =>
  until(
    () => call<{ status: string }>(`/api/v1/files/${id}/process/status`),
    ({ status }) => status !== "pending",
    "the file is not read",
  );

const handbook = `# Harbour handbook

## Ferries

The last ferry to Skagen leaves at 21:40 from the northern quay.

## Fees

Mooring costs twelve crowns for each metre and night.
`;
const question = "When does the last ferry leave?";
type Answer = { choices: { message: { content: string } }[] } & Looked;

beforeAll(async () => {
  upstream = await startScriptedUpstream({
    reader: ({ messages }) => {
      const prompt = JSON.stringify(messages);
      const number = /<source id=\\"(\d+)\\"(?:(?!<source ).)*21:40/.exec(prompt)?.[1];
      return { content: number === undefined ? "I found nothing." : `It leaves at 21:40.[${number}]` };
    },
  });
  parley = await startParley();
  const signedUp = await call<{ token: string }>("/api/v1/auths/signup", {
    name: "Ada",
    email: "ada@harbour.example",
    password: "correct horse battery",
  });
  ({ token } = signedUp);
  await call("/api/v1/connections", { kind: "openai", name: "Reader", base_url: upstream.url });
}, 120_000);
afterAll(async () => {
  await parley?.stop();
  await upstream?.close();
});

describe("in the order of the contract", () => {
  test("upload, poll, add, chat: whole and streamed", async () => {
    const id = await upload("handbook.md", handbook);
    expect(await processed(id)).toMatchObject({ status: "completed" });
    const base = await call<{ id: string }>("/api/v1/knowledge/create", { name: "Harbour", description: "" });
    await call(`/api/v1/knowledge/${base.id}/file/add`, { file_id: id });
    const ask = {
      model: "reader",
      messages: [{ role: "user", content: question }],
      files: [{ type: "collection", id: base.id }],
    };
    const { choices, sources } = await call<Answer>("/api/chat/completions", ask);
    const cited = /\[(\d+)\]/.exec(choices[0]!.message.content)?.[1];
    const metadata = sources!.flatMap((source) =>
      source.metadata.map((each, at): Record<string, unknown> => ({ ...each, text: source.document[at] })),
    );
    const passage = metadata.find(({ number }) => String(number) === cited)!;
    expect(passage).toMatchObject({ file_id: id, name: "handbook.md" });
    expect(passage.text).toContain("21:40");
    // The passage can be opened by its number in the index.
    const shown = await call<{ text: string }>(`/api/v1/files/${id}/passages/${String(passage["chunk"])}`);
    expect(shown.text).toContain("21:40");

    const stream = await (await send("/api/chat/completions", { ...ask, stream: true })).text();
    expect(eventsOf(stream)[0]).toMatchObject({ choices: [], sources: [{ source: { id } }] });
    expect(textOf(stream)).toContain("21:40");
    expect(eventsOf(stream).at(-1)).toBe("[DONE]");
  });

  test("what a model knows is looked into for everyone who may", async () => {
    const id = await upload("rules.md", handbook.replaceAll("21:40", "21:40 (rules)"));
    await processed(id);
    await call("/api/v1/models/create", {
      id: "harbour-master",
      name: "Harbour master",
      base_model_id: "reader",
      meta: { knowledge: [{ type: "file", id }] },
      params: {},
    });
    const ask = { model: "harbour-master", messages: [{ role: "user", content: question }] };
    const { choices, sources } = await call<Answer>("/api/chat/completions", ask);
    expect(choices[0]!.message.content).toContain("21:40");
    expect(sources!.map(({ source }) => source.id)).toEqual([id]);
  });
});

test("an answer in the background waits for a file that was just sent, and keeps what it cites", async () => {
  const id = await upload("just-sent.md", handbook);
  const ids = { question: crypto.randomUUID(), answer: crypto.randomUUID() };
  const files = [{ type: "file", id, name: "just-sent.md" }];
  const { chat_id: chatId } = await call<{ chat_id: string }>("/api/chat/completions", {
    model: "reader",
    stream: true,
    session_id: "s",
    id: ids.answer,
    parent_id: null,
    user_message: { id: ids.question, parentId: null, content: question, files },
    messages: [{ role: "user", content: question }],
    files,
  });
  const chat = await until(
    () => call<ChatResponse>(`/api/v1/chats/${chatId}`),
    ({ chat }) => chat.history.messages[ids.answer]?.state !== "streaming",
    "the answer is not done",
  );
  const answer = chat.chat.history.messages[ids.answer]!;
  expect(answer.content).toMatch(/21:40\.\[\d\]/);
  expect(answer["sources"]).toMatchObject([{ source: { id, type: "file" } }]);
  const last = (answer["statusHistory"] as object[]).at(-1);
  expect(last).toMatchObject({ done: true, description: expect.stringMatching(/^Found \d passages? in 1 document$/) });
  expect(chat.chat.history.messages[ids.question]!["files"]).toEqual(files);
});
