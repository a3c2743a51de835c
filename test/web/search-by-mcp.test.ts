import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { SearchTrialResult } from "../../src/web/schema.ts";
import { type McpServerUnderTest, startMcpServer } from "../plugins/tool-servers/mcp/mcp-server.ts";
import { addServer, toEveryone } from "../plugins/tool-servers/tool-server-world.ts";
import { createWorld, type Person, type World } from "../world.ts";

let server: McpServerUnderTest;
let world: World;
let admin: Person;
/** Arguments of the searches so far, and what the tool answers. */
let asked: Record<string, unknown>[] = [];
let found = "";
beforeAll(async () => {
  const inputSchema = z.object({ query: z.string(), max_results: z.number().optional() });
  server = await startMcpServer("new", (tools) => {
    tools.registerTool("find", { inputSchema }, (input) => {
      asked.push(input);
      return { content: [{ type: "text", text: found }] };
    });
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  asked = [];
  world = await createWorld({ environment: { ENABLE_WEB_SEARCH: "true" } });
  admin = await world.admin();
  return () => world.close();
});

/** Chooses the tool of a server that these may use. */
async function choose(grants: unknown[], tool = "find"): Promise<void> {
  const { id } = await addServer(world, admin, { kind: "mcp", url: server.url, name: "Search", access_grants: grants });
  const json = { WEB_SEARCH_ENGINE: "mcp", WEB_SEARCH_MCP_SERVER: id, WEB_SEARCH_MCP_TOOL: tool };
  expect((await world.call("/api/v1/auths/admin/config", { as: admin, json })).status).toBe(200);
}

const trial = async () =>
  (await world.call<SearchTrialResult>("/api/v1/retrieval/web/try", { as: admin, json: { query: "last ferry" } })).body;

describe("a search by the tool of an MCP server", () => {
  it("asks with the tool's own field for the number, and reads lists", async () => {
    found = JSON.stringify({ results: [{ link: "https://a.example/x", name: "Ferries", description: "At noon" }] });
    await choose(toEveryone);
    expect(await trial()).toMatchObject({
      ok: true,
      results: [{ url: "https://a.example/x", title: "Ferries", snippet: "At noon" }],
    });
    expect(asked).toEqual([{ query: "last ferry", max_results: expect.any(Number) }]);
  });

  it("reads text with addresses in it", async () => {
    found = "Title: Ferries\nhttps://a.example/x\nAt noon\n\n- [Fees](https://a.example/fees)";
    await choose(toEveryone);
    expect((await trial()).results).toMatchObject([
      { url: "https://a.example/x", title: "Ferries", snippet: "At noon" },
      { url: "https://a.example/fees", title: "Fees" },
    ]);
  });

  it("says why there is none: no such tool, or a tool that fails", async () => {
    await choose(toEveryone, "nothing");
    expect(await trial()).toMatchObject({ ok: false, error: expect.stringContaining("no tool with the name nothing") });
    await choose(toEveryone, "fail");
    expect(await trial()).toMatchObject({ ok: false, error: expect.stringContaining("The mast broke") });
    expect(asked).toEqual([]);
  });
});
