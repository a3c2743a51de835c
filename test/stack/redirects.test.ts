import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../scripts/attack/service.ts";
import { signUpByApi } from "../browser/accounts.ts";
import { type Parley, startParley } from "./start-parley.ts";

/**
 * Every door to the outside leads to a server that may be called and that answers with a redirect to another one, which may
 * not. Each test shows that the first was called, so that none passes because its door stayed shut.
 */
const said = "what only the inside says";
let parley: Parley;
let token: string;
let inside: Listening;
let outside: Listening;

interface Listening {
  server: Server;
  host: string;
  url: string;
  calls: string[];
}

async function listen(answer: (calls: string[]) => RequestListener): Promise<Listening> {
  const calls: string[] = [];
  const server = createServer(answer(calls));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, host, url: `http://${host}`, calls };
}

beforeAll(async () => {
  inside = await listen((calls) => (request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.end(said);
  });
  outside = await listen((calls) => (request, response) => {
    calls.push(`${request.method} ${request.url}`);
    request.resume();
    if (request.method === "GET" && request.url === "/list/v1/models") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data: [{ id: "door", object: "model" }] }));
      return;
    }
    const status = request.url?.includes("302") ? 302 : 307;
    response.writeHead(status, { location: `${inside.url}/reached` }).end();
  });
  parley = await startParley({ env: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: outside.host, ENABLE_USER_WEBHOOKS: "true" } });
  const account = { name: "Ada", email: "ada@harbour.example", password: "correct horse battery" };
  ({ token } = await signUpByApi(parley.url, account));
  await post("/api/v1/connections", { kind: "openai", name: "Door", base_url: `${outside.url}/list/v1` });
});
afterAll(async () => {
  await parley?.stop();
  for (const { server } of [inside, outside]) {
    server.closeAllConnections();
    server.close();
  }
});

const post = async (path: string, json: unknown) => (await send(parley.url, "POST", path, { token, json })).text;
const messages = [{ role: "user", content: "Hello" }];
const plugin = (address: string) => `export class Pipe {
  async pipe() {
    try { return "answered " + (await (await fetch("${address}")).text()) } catch (error) { return "refused: " + error.message }
  }
}`;

const doors: [string, (status: 302 | 307) => Promise<string>][] = [
  ["a provider's list", (status) => post("/api/v1/connections/verify", { base_url: `${outside.url}/${status}/v1` })],
  ["a completion", () => post("/api/chat/completions", { model: "door", messages })],
  ["a streamed completion", () => post("/api/chat/completions", { model: "door", messages, stream: true })],
  ["embeddings", () => post("/api/v1/embeddings", { model: "door", input: "Hello" })],
  ["an OpenAPI server", (status) => post("/api/v1/tool-servers/verify", { url: `${outside.url}/${status}` })],
  ["an MCP server", (status) => post("/api/v1/tool-servers/verify", { kind: "mcp", url: `${outside.url}/${status}` })],
  ["the source of a plugin", (status) => post("/api/v1/functions/load/url", { url: `${outside.url}/${status}/x.py` })],
  [
    "a document in a message",
    (status) =>
      post("/api/v1/messages", {
        model: "door",
        max_tokens: 10,
        messages: [
          {
            role: "user",
            content: [{ type: "document", source: { type: "url", url: `${outside.url}/${status}/report.pdf` } }],
          },
        ],
      }),
  ],
  [
    "a plugin",
    async (status) => {
      const id = `door_${status}`;
      const content = plugin(`${outside.url}/${status}/plugin`);
      await post("/api/v1/functions/create", { id, name: id, content, meta: {}, hosts: [outside.host] });
      await post(`/api/v1/functions/id/${id}/toggle`, {});
      return post("/api/chat/completions", { model: id, messages });
    },
  ],
  [
    "an outbound webhook",
    async (status) => {
      await send(parley.url, "PUT", "/api/v1/webhooks/own", { token, json: { url: `${outside.url}/${status}/hook` } });
      await post("/api/v1/webhooks/own/test", {});
      await expect.poll(() => outside.calls, { timeout: 20_000 }).toContain(`POST /${status}/hook`);
      return "";
    },
  ],
];

test.each(doors.flatMap(([name, open]) => ([302, 307] as const).map((status) => [name, status, open] as const)))(
  "%s does not follow a %i to where it may not go",
  async (_, status, open) => {
    outside.calls.length = 0;
    const text = await open(status);
    expect(outside.calls.length, text).toBeGreaterThan(0);
    expect(inside.calls).toEqual([]);
    expect(text).not.toContain(said);
  },
);
