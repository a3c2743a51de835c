import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChatResponse, WireMessage } from "../../src/chat/conversations/schema.ts";
import { eventsOf, textOf } from "../chat/functions/events-of.ts";
import { startParley, type Parley } from "./start-parley.ts";

let parley: Parley;
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
async function install(id: string, content: string, isGlobal: boolean): Promise<void> {
  await call("/api/v1/functions/create", { id, name: id, content, meta: {} });
  await call(`/api/v1/functions/id/${id}/toggle`, {});
  if (isGlobal) await call(`/api/v1/functions/id/${id}/toggle/global`, {});
}

const pipe = `"""
title: Harbour
"""
from pydantic import BaseModel, Field

class Pipe:
    class Valves(BaseModel):
        greeting: str = Field(default="Ahoy")

    def __init__(self):
        self.type = "manifold"
        self.name = "Harbour: "
        self.valves = self.Valves()

    async def pipes(self):
        return [{"id": "pilot", "name": "Pilot"}, {"id": "master", "name": "Master"}]

    async def pipe(self, body: dict, __user__: dict, __event_emitter__=None, __task__=None):
        if __task__ == "title_generation":
            return "A word with the pilot"
        await __event_emitter__({"type": "status", "data": {"description": "Listening", "done": False}})
        question = body["messages"][-1]["content"]
        async def speak():
            yield f"{self.valves.greeting} {__user__['name']}, "
            yield body["model"]
            yield {"choices": [{"delta": {"content": f" heard {question}"}}]}
        return speak() if body.get("stream") else "".join([f"{self.valves.greeting} {__user__['name']}, ", body["model"], f" heard {question}"])
`;
const filter = `
class Filter:
    def inlet(self, body: dict, __user__=None):
        if "forbidden" in body["messages"][-1]["content"]:
            raise Exception("Not in this harbour")
        body["messages"][-1]["content"] += " (over)"
        return body

    def stream(self, event: dict):
        for choice in event.get("choices", []):
            delta = choice.get("delta", {})
            if delta.get("content"):
                delta["content"] = delta["content"].upper()
        return event

    async def outlet(self, body: dict, __event_emitter__=None):
        body["messages"][-1]["content"] += " [logged]"
        return body
`;
const action = `
class Action:
    async def action(self, body: dict, __user__=None, __event_emitter__=None, __event_call__=None):
        return {"content": body["messages"][-1]["content"].lower()}
`;

beforeAll(async () => {
  parley = await startParley();
  const account = { name: "Grace", email: "grace@harbour.example", password: "correct horse battery staple" };
  token = String((await call("/api/v1/auths/signup", account))["token"]);
  await install("harbour", pipe, false);
  await install("logging", filter, true);
  await install("quiet", action, true);
}, 180_000);
afterAll(() => parley?.stop());

const question = { model: "harbour.pilot", messages: [{ role: "user", content: "a ship" }] };

describe("turns with Python functions", { timeout: 120_000 }, () => {
  test("a manifold's models are listed, with their buttons, and the guide is gone", async () => {
    const list = async () => (await call<{ data: Record<string, unknown>[] }>("/api/models")).data;
    // Its process may take longer to start than a list waits.
    await expect
      .poll(async () => (await list()).map(({ id, name }) => [id, name]), { timeout: 60_000, interval: 500 })
      .toEqual([
        ["harbour.pilot", "Harbour: Pilot"],
        ["harbour.master", "Harbour: Master"],
      ]);
    const data = await list();
    expect(data[0]).toMatchObject({ pipe: { type: "pipe" }, actions: [{ id: "quiet" }], filters: [] });
  });

  test("over the API: inlet and stream filters, whole and streamed, no outlet", async () => {
    const whole = await call<{ choices: { message: { content: string } }[] }>("/api/chat/completions", question);
    const said = "AHOY GRACE, HARBOUR.PILOT HEARD A SHIP (OVER)";
    expect(whole.choices[0]!.message.content).toBe(said);
    const response = await send("/api/chat/completions", { ...question, stream: true });
    const stream = await response.text();
    expect(textOf(stream)).toBe(said);
    expect(eventsOf(stream).at(-1)).toBe("[DONE]");
    const refused = await send("/api/chat/completions", {
      ...question,
      messages: [{ role: "user", content: "forbidden goods" }],
    });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { message: "Not in this harbour" } }]);
  });

  test("in the background: all three, a status that ends, a name for the chat, and a button", async () => {
    const started = await call<{ chat_id: string }>("/api/chat/completions", {
      model: "harbour.master",
      session_id: "s",
      id: "answer",
      parent_id: null,
      user_message: { id: "question", content: "a ship" },
    });
    const chat = () => call<ChatResponse>(`/api/v1/chats/${started.chat_id}`);
    const answer = async (): Promise<WireMessage> => (await chat()).chat.history.messages["answer"]!;
    await expect.poll(async () => (await answer()).state, { timeout: 30_000 }).toBe("done");
    const filtered = "AHOY GRACE, HARBOUR.MASTER HEARD A SHIP (OVER)";
    expect(await answer()).toMatchObject({
      content: `${filtered} [logged]`,
      originalContent: filtered,
      statusHistory: [{ description: "Listening", done: true }],
    });
    await expect.poll(async () => (await chat()).title, { timeout: 30_000 }).toBe("A word with the pilot");
    const messages = [{ id: "answer", role: "assistant", content: `${filtered} [logged]` }];
    const pressed = { model: "harbour.master", messages, chat_id: started.chat_id, id: "answer", session_id: "s" };
    expect(await call("/api/chat/actions/quiet", pressed)).toEqual({ content: `${filtered} [logged]`.toLowerCase() });
    expect((await answer()).content).toBe(`${filtered} [logged]`.toLowerCase());
  });

  test("/api/chat/completed gives the payload as the outlet leaves it", async () => {
    const messages = [...question.messages, { role: "assistant", content: "Aye" }];
    expect(await call("/api/chat/completed", { model: "harbour.pilot", messages })).toMatchObject({
      messages: [question.messages[0], { role: "assistant", content: "Aye [logged]" }],
    });
  });
});
