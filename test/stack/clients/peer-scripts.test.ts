import { afterAll, beforeAll, expect, test } from "vitest";
import type { ScriptedUpstream } from "../../fixtures/upstreams/scripted-upstream.ts";
import { type Parley, startParley } from "../start-parley.ts";
import { answers, models, questions, startFakeProvider } from "./fake-provider.ts";

/** Scripts as they are written for the public peer, by its paths and shapes, with only the address changed. */
let upstream: ScriptedUpstream;
let parley: Parley;
let token: string;

beforeAll(async () => {
  upstream = await startFakeProvider();
  parley = await startParley({ env: { OPENAI_API_BASE_URLS: upstream.url, ENABLE_API_KEYS: "true" } });
  await call("POST", "/api/v1/auths/signup", { name: "Ada", email: "ada@example.com", password: "correct horse" });
  const signedIn = await call("POST", "/api/v1/auths/signin", { email: "ada@example.com", password: "correct horse" });
  token = String(signedIn["token"]);
});
afterAll(async () => {
  await parley?.stop();
  await upstream?.close();
});

async function send(method: string, path: string, body?: object): Promise<Response> {
  const isForm = body instanceof FormData;
  const headers = new Headers({ accept: "application/json" });
  if (token) headers.set("authorization", `Bearer ${token}`);
  if (body && !isForm) headers.set("content-type", "application/json");
  const response = await fetch(parley.url + path, {
    method,
    headers,
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  });
  expect([path, response.status]).toEqual([path, 200]);
  return response;
}

/** What an answer holds; looked at by its names only. */
interface Loose {
  readonly [name: string]: Loose;
}
const call = async (method: string, path: string, body?: object) =>
  (await (await send(method, path, body)).json()) as Loose;

const asked = { model: models.strict, messages: [{ role: "user", content: questions.text }] };

test("signs in, makes a key and lists models", async () => {
  expect(await call("GET", "/api/v1/auths/")).toMatchObject({
    email: "ada@example.com",
    role: "admin",
    token_type: "Bearer",
  });
  const { api_key: key } = await call("POST", "/api/v1/auths/api_key");
  const listed = await fetch(`${parley.url}/api/models`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await listed.json()) as { data: { id: string; object: string; owned_by: string }[] };
  expect(data).toContainEqual(
    expect.objectContaining({ id: models.strict, object: "model", owned_by: expect.any(String) }),
  );
  expect((await call("GET", "/openai/models"))["data"]).toContainEqual(expect.objectContaining({ id: models.strict }));
});

test("asks without a stored chat, as a whole and as a stream", async () => {
  for (const path of ["/api/chat/completions", "/api/v1/chat/completions", "/openai/chat/completions"])
    expect((await call("POST", path, asked))["choices"]).toMatchObject([{ message: { content: answers.text } }]);
  const lines = (await (await send("POST", "/api/chat/completions", { ...asked, stream: true })).text())
    .split("\n")
    .filter((line) => line.startsWith("data: "));
  expect(lines.at(-1)).toBe("data: [DONE]");
  const pieces = lines
    .slice(0, -1)
    .map((line) => JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] });
  expect(pieces.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(answers.text);
});

test("makes a chat, has it answered in the background, and finds the answer in it", async () => {
  const [question, answer] = [crypto.randomUUID(), crypto.randomUUID()];
  const messages = {
    [question]: {
      id: question,
      parentId: null,
      childrenIds: [answer],
      role: "user",
      content: questions.text,
      timestamp: 1,
    },
    [answer]: { id: answer, parentId: question, childrenIds: [], role: "assistant", content: "", model: models.strict },
  };
  const made = await call("POST", "/api/v1/chats/new", {
    chat: { title: "New Chat", models: [models.strict], history: { currentId: answer, messages }, messages: [] },
  });
  const started = await call("POST", "/api/chat/completions", {
    ...asked,
    stream: true,
    chat_id: made["id"],
    id: answer,
    session_id: "script",
    background_tasks: { title_generation: false },
  });
  expect(started).toMatchObject({ status: true, task_ids: [expect.any(String)] });
  const stored = async () =>
    (await call("GET", `/api/v1/chats/${made["id"]}`))["chat"]!["history"]!["messages"]![answer]!;
  await expect.poll(async () => (await stored())["done"], { timeout: 30_000 }).toBe(true);
  expect(await stored()).toMatchObject({ role: "assistant", content: answers.text });
  const completed = await call("POST", "/api/chat/completed", {
    model: models.strict,
    messages: [...asked.messages, { role: "assistant", content: answers.text }],
    chat_id: made["id"],
  });
  expect(completed["messages"]).toHaveLength(2);
  expect(await call("GET", "/api/v1/chats/")).toMatchObject([{ id: made["id"] }]);
  expect(await call("GET", `/api/tasks/chat/${made["id"]}`)).toEqual({ task_ids: [] });
});

test("uploads a file, adds it to knowledge once it is read, and asks with it", async () => {
  const form = new FormData();
  form.append("file", new File(["High water is at six."], "tides.txt", { type: "text/plain" }));
  const file = await call("POST", "/api/v1/files/", form);
  const status = async () => (await call("GET", `/api/v1/files/${file["id"]}/process/status`))["status"];
  await expect.poll(status, { timeout: 30_000 }).toBe("completed");
  expect(await call("GET", `/api/v1/files/${file["id"]}`)).toMatchObject({
    data: { content: "High water is at six." },
  });
  expect(await (await send("GET", `/api/v1/files/${file["id"]}/content/tides.txt`)).text()).toBe(
    "High water is at six.",
  );
  const base = await call("POST", "/api/v1/knowledge/create", { name: "Tides", description: "When" });
  const added = await call("POST", `/api/v1/knowledge/${base["id"]}/file/add`, { file_id: file["id"] });
  expect(added["files"]).toMatchObject([{ id: file["id"] }]);
  const found = await call("POST", "/api/v1/retrieval/query/collection", {
    collection_names: [base["id"]],
    query: "high water",
    k: 2,
  });
  expect(found["documents"]).toEqual([["High water is at six."]]);
  const files = [{ type: "collection", id: base["id"] }];
  const answered = await call("POST", "/api/chat/completions", { ...asked, files });
  expect(answered["sources"]).toMatchObject([{ document: ["High water is at six."] }]);
});

test("keeps a function and a tool, and has the function answer", async () => {
  const pipe = {
    id: "greeter",
    name: "Greeter",
    meta: { description: "Greets" },
    content: "class Pipe:\n    def pipe(self, body):\n        return 'Good day'\n",
  };
  expect(await call("POST", "/api/v1/functions/create", pipe)).toMatchObject({
    id: "greeter",
    type: "pipe",
    is_active: false,
  });
  expect(await call("POST", "/api/v1/functions/id/greeter/toggle")).toMatchObject({ is_active: true });
  const answered = await call("POST", "/api/chat/completions", { ...asked, model: "greeter" });
  expect(answered["choices"]).toMatchObject([{ message: { content: "Good day" } }]);
  const content =
    'class Tools:\n    def add(self, a: int, b: int) -> int:\n        """Adds."""\n        return a + b\n';
  await call("POST", "/api/v1/tools/create", { id: "sums", name: "Sums", meta: { description: "" }, content });
  expect(await call("GET", "/api/v1/tools/")).toContainEqual(expect.objectContaining({ id: "sums" }));
});

test("makes a model of its own and asks it", async () => {
  const model = {
    id: "harbour",
    base_model_id: models.strict,
    name: "Harbour",
    meta: { description: "Boats" },
    params: { system: "Be brief" },
  };
  expect(await call("POST", "/api/v1/models/create", model)).toMatchObject({ id: "harbour", is_active: true });
  expect((await call("POST", "/api/chat/completions", { ...asked, model: "harbour" }))["choices"]).toMatchObject([
    { message: { content: answers.text } },
  ]);
});
