import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChatResponse, WireMessage } from "../../src/chat/conversations/schema.ts";
import { startParley, type Parley } from "./start-parley.ts";

/** What functions leave running in a whole turn: the answer is delivered, and what they say later still arrives. */

let parley: Parley;
let token = "";

async function call<T = Record<string, unknown>>(path: string, json?: unknown): Promise<T> {
  const response = await fetch(parley.url + path, {
    method: json === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const body = (await response.json()) as T;
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
}

/** Each waits in its task until its setting says to go on, so nothing depends on how fast the machine is. */
const later = (who: string) => `
        async def later():
            while not await self.is_told():
                await asyncio.sleep(0.1)
            await __event_emitter__({"type": "status", "data": {"description": "${who} goes on", "done": True}})
            await __event_emitter__({"type": "message", "data": {"content": " (${who})"}})
        asyncio.create_task(later())
`;
const head = (kind: string) => `import asyncio

class ${kind}:
    async def is_told(self):
        from open_webui.models.memories import Memories
        found = await Memories.get_memories_by_user_id("")
        return any(each.content == "go on" for each in found)
`;
const pipe = `${head("Pipe")}
    async def pipe(self, body: dict, __event_emitter__=None, __task__=None):
        if __task__:
            return "A title"
${later("pipe")}
        return "At once"
`;
const filter = `${head("Filter")}
    async def outlet(self, body: dict, __event_emitter__=None):
${later("filter")}
        return body
`;
const action = `${head("Action")}
    async def action(self, body: dict, __event_emitter__=None):
${later("action")}
        return {"content": "Pressed"}
`;

async function install(id: string, content: string, isGlobal: boolean): Promise<void> {
  await call("/api/v1/functions/create", { id, name: id, content, meta: {} });
  await call(`/api/v1/functions/id/${id}/toggle`, {});
  if (isGlobal) await call(`/api/v1/functions/id/${id}/toggle/global`, {});
}

beforeAll(async () => {
  parley = await startParley();
  const account = { name: "Grace", email: "grace@harbour.example", password: "correct horse battery staple" };
  token = String((await call("/api/v1/auths/signup", account))["token"]);
  await install("harbour", pipe, false);
  await install("logging", filter, true);
  await install("quiet", action, true);
}, 180_000);
afterAll(() => parley?.stop());

test("a pipe, a filter and an action go on after their answers, and what they say is kept with the message", async () => {
  const started = await call<{ chat_id: string }>("/api/chat/completions", {
    model: "harbour",
    session_id: "s",
    id: "answer",
    parent_id: null,
    user_message: { id: "question", content: "a ship" },
  });
  const answer = async (): Promise<WireMessage> =>
    (await call<ChatResponse>(`/api/v1/chats/${started.chat_id}`)).chat.history.messages["answer"]!;
  await expect.poll(async () => (await answer()).state, { timeout: 30_000 }).toBe("done");
  expect(await answer()).toMatchObject({ content: "At once" });
  const messages = [{ id: "answer", role: "assistant", content: "At once" }];
  const pressed = { model: "harbour", messages, chat_id: started.chat_id, id: "answer", session_id: "s" };
  expect(await call("/api/chat/actions/quiet", pressed)).toEqual({ content: "Pressed" });
  expect(await answer()).toMatchObject({ content: "Pressed" });
  expect((await answer()).statusHistory).toBeUndefined();
  await call("/api/v1/memories/add", { content: "go on" });
  const said = async () =>
    (((await answer()).statusHistory ?? []) as { description: string }[])
      .map(({ description }) => description)
      .toSorted();
  await expect.poll(said, { timeout: 20_000 }).toEqual(["action goes on", "filter goes on", "pipe goes on"]);
  const all = "Pressed (pipe) (filter) (action)";
  await expect.poll(async () => String((await answer()).content).length).toBe(all.length);
}, 120_000);
