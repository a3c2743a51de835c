import process from "node:process";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type McpServerUnderTest, startMcpServer } from "../plugins/tool-servers/mcp/mcp-server.ts";
import { type Parley, startParley } from "./start-parley.ts";

/**
 * A plugin with the package `mcp`, as a registry has it, and real MCP servers of both generations. Needs the registry, so it is skipped
 * without the variable (see CONTRIBUTING.md).
 */
const registry = process.env["PARLEY_TEST_REGISTRY"];

const source = `from datetime import timedelta

from mcp import Client, ClientSession
from mcp.client.streamable_http import streamablehttp_client

class Tools:
    async def in_the_old_way(self, url: str) -> list:
        async with streamablehttp_client(url, timeout=timedelta(seconds=20)) as (read, write, _):
            async with ClientSession(read, write) as session:
                await session.initialize()
                tools = [tool.name for tool in (await session.list_tools()).tools]
                said = await session.call_tool("echo", {"text": "Ahoy"})
                broken = await session.call_tool("fail", {})
                return ["echo" in tools, said.content[0].text, broken.is_error, broken.content[0].text]

    async def in_the_new_way(self, url: str) -> list:
        async with Client(url) as client:
            tide = await client.call_tool("tide.at", {"place": "Harlingen"})
            slow = await client.call_tool("slow", {})
            return [tide.structured_content, slow.content[0].text]
`;

describe.skipIf(registry === undefined)("plugins that talk to MCP servers", { timeout: 240_000 }, () => {
  let parley: Parley;
  let servers: McpServerUnderTest[] = [];
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
  const tryTool = (method: string, url: string) =>
    call("/api/v1/tools/id/sailor/try", { method, args: { url } }) as Promise<{ value: unknown; error: unknown }>;

  beforeAll(async () => {
    servers = await Promise.all([startMcpServer("old"), startMcpServer("new")]);
    const hosts = servers.map(({ origin }) => new URL(origin).host);
    parley = await startParley({
      env: {
        PLUGIN_PACKAGE_REGISTRIES: registry!,
        OUTBOUND_ALLOWED_PRIVATE_HOSTS: [process.env["PARLEY_TEST_REGISTRY_HOSTS"] ?? "", ...hosts]
          .filter(Boolean)
          .join(","),
      },
    });
    const account = { name: "Grace", email: "grace@harbour.example", password: "correct horse battery staple" };
    token = String((await call("/api/v1/auths/signup", account))["token"]);
    const plan = await call<{ id: string }>("/api/v1/plugins/packages/downloads", { packages: ["mcp>=2"] });
    await call(`/api/v1/plugins/packages/downloads/${plan.id}/start`, {});
    const state = async () => (await call(`/api/v1/plugins/packages/downloads/${plan.id}`))["state"];
    await vi.waitUntil(async () => (await state()) === "done", { timeout: 120_000, interval: 500 });
    await call("/api/v1/tools/create", { id: "sailor", name: "Sailor", content: source, hosts });
  }, 240_000);
  afterAll(async () => {
    await parley?.stop();
    await Promise.all(servers.map((server) => server.close()));
  });

  test("with the names of the package's first version, to a server with sessions", async () => {
    const [old] = servers;
    expect(await tryTool("in_the_old_way", old!.url)).toMatchObject({
      error: null,
      value: [true, "Ahoy", true, "The mast broke"],
    });
    expect(old!.requests.some(({ method }) => method === "DELETE")).toBe(true);
  });

  test("with those of its second version, to servers of both generations", async () => {
    const expected = { error: null, value: [{ metres: 9 }, "arrived"] };
    for (const { url } of servers) expect(await tryTool("in_the_new_way", url)).toMatchObject(expected);
  });
});
