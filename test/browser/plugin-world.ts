import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext } from "playwright-core";
import { call, type ChatWorld, openChatWorld } from "./chat-world.ts";

export interface PluginWorld extends ChatWorld {
  /** The administrator who has set the world up. */
  admin: BrowserContext;
  /** A call of the API as that administrator. */
  api(method: string, path: string, data?: unknown): Promise<unknown>;
  /** Stores a function and switches it on. */
  addFunction(id: string, name: string, content: string): Promise<void>;
  /** Stores a tool that everybody may use. */
  addTool(id: string, name: string, content: string): Promise<void>;
}

/** The chat world with plugins in it, and a model `caller` that calls the tool it is offered before it answers. */
export async function openPluginWorld(): Promise<PluginWorld> {
  const world = await openChatWorld();
  const caller = await startCaller();
  const { parley, browser } = world;
  const page = await browser.openPage({ baseURL: parley.url });
  const admin = page.context();
  const api = (method: string, path: string, data?: unknown): Promise<unknown> =>
    call(admin, parley.url, method, path, data);
  // The first account of a chat world is its administrator's.
  await api("POST", "/api/v1/auths/signin", { email: world.adminEmail, password: "correct horse" });
  await api("POST", "/api/v1/connections", { kind: "openai", name: "Caller", base_url: caller.url });
  return {
    ...world,
    admin,
    api,
    async addFunction(id, name, content) {
      await api("POST", "/api/v1/functions/create", { id, name, content, meta: {} });
      await api("POST", `/api/v1/functions/id/${id}/toggle`);
    },
    async addTool(id, name, content) {
      await api("POST", "/api/v1/tools/create", {
        id,
        name,
        content,
        meta: {},
        access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
      });
    },
    async close() {
      await world.close();
      await caller.close();
    },
  };
}

interface CallerMessage {
  role: string;
  content?: string;
}

/** An upstream with one model: asked with tools it calls the first one with `{"text": <the question>}`, then it says what that gave. */
async function startCaller(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      if (request.method === "GET") {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ object: "list", data: [{ id: "caller", object: "model" }] }));
        return;
      }
      const body = JSON.parse(text) as {
        messages: CallerMessage[];
        stream?: boolean;
        tools?: { function: { name: string } }[];
      };
      const delta = answerOf(body.messages, body.tools?.[0]?.function.name);
      const reason = "tool_calls" in delta ? "tool_calls" : "stop";
      const base = { id: "c", created: 1, model: "caller" };
      if (body.stream !== true) {
        response.setHeader("content-type", "application/json");
        const message = { role: "assistant", content: "", ...delta };
        response.end(
          JSON.stringify({
            ...base,
            object: "chat.completion",
            choices: [{ index: 0, message, finish_reason: reason }],
          }),
        );
        return;
      }
      response.setHeader("content-type", "text/event-stream");
      const chunks = [
        { index: 0, delta: { role: "assistant", ...delta }, finish_reason: null },
        { index: 0, delta: {}, finish_reason: reason },
      ];
      for (const choice of chunks)
        response.write(`data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [choice] })}\n\n`);
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function answerOf(messages: readonly CallerMessage[], tool: string | undefined): Record<string, unknown> {
  const last = messages.at(-1);
  if (last?.role === "tool") return { content: `The tool says: ${last.content}` };
  if (tool === undefined) return { content: "I have no tools." };
  const call = { name: tool, arguments: JSON.stringify({ text: last?.content ?? "" }) };
  return { content: "Let me look. ", tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] };
}
