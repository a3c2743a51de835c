import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createMcpHandler, McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import * as z from "zod";
import { handleRequest } from "../../../fixtures/handle-request.ts";

type Answer = Response | undefined;
type Interceptor = (request: Request, rpc: string | undefined) => Answer | Promise<Answer>;

/** A real MCP server on a free port. */
export interface McpServerUnderTest {
  /** Of its endpoint. */
  url: string;
  origin: string;
  /** Requests so far: method, JSON-RPC method, headers. */
  requests: { method: string; rpc: string | undefined; headers: IncomingMessage["headers"] }[];
  /** Answers instead of the server where it returns something. */
  intercept(answer: Interceptor): void;
  /** Of old servers: forgets all sessions, as after a restart. */
  forgetSessions(): void;
  close(): Promise<void>;
}

/**
 * @param generation `old`: speaks the protocol of 2025, with sessions
 * @param addTools tools beside those that it always has
 */
export async function startMcpServer(
  generation: "new" | "old" = "new",
  addTools: (server: McpServer) => void = () => undefined,
): Promise<McpServerUnderTest> {
  const requests: McpServerUnderTest["requests"] = [];
  let interceptor: Interceptor = () => undefined;
  const modern = createMcpHandler(() => createHarbour(addTools), { legacy: "reject" });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function answerOld(request: Request, rpc: string | undefined): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const known = sessions.get(id);
      return known ? known.handleRequest(request) : new Response('{"error":"no such session"}', { status: 404 });
    }
    if (rpc !== "initialize") return new Response('{"error":"begin a session first"}', { status: 400 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (session: string) => void sessions.set(session, transport),
      onsessionclosed: (session: string) => void sessions.delete(session),
    });
    await createHarbour(addTools).connect(transport);
    return transport.handleRequest(request);
  }

  const server = createServer(
    handleRequest(async (incoming, outgoing) => {
      const body = await text(incoming);
      const rpc = rpcOf(body);
      const method = incoming.method!;
      requests.push({ method, rpc, headers: incoming.headers });
      const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method,
        headers: incoming.headers as Record<string, string>,
        ...(body === "" ? {} : { body }),
      });
      const response =
        (await interceptor(request, rpc)) ??
        (await (generation === "new" ? modern.fetch(request) : answerOld(request, rpc)));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (!response.body) {
        outgoing.end();
        return;
      }
      Readable.from(response.body)
        .on("error", () => outgoing.destroy())
        .pipe(outgoing);
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    requests,
    intercept: (answer) => void (interceptor = answer),
    forgetSessions: () => sessions.clear(),
    async close() {
      await modern.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function rpcOf(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { method?: string }).method;
  } catch {
    return undefined;
  }
}

function createHarbour(addTools: (server: McpServer) => void): McpServer {
  const server = new McpServer({ name: "harbour", title: "Harbour", version: "1.0.0" });
  const said = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  server.registerTool(
    "tide.at",
    {
      description: "Height of the tide",
      inputSchema: z.object({ place: z.string() }),
      outputSchema: z.object({ metres: z.number() }),
    },
    ({ place }) => ({ content: [], structuredContent: { metres: place.length } }),
  );
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text: words }) => said(words));
  server.registerTool("fail", { inputSchema: z.object({}) }, () => ({ ...said("The mast broke"), isError: true }));
  server.registerTool("throw", { inputSchema: z.object({}) }, () => {
    throw new Error("overboard");
  });
  server.registerTool("picture", { inputSchema: z.object({}) }, () => ({
    content: [
      { type: "text" as const, text: "Look:" },
      { type: "image" as const, data: "iVBORw==", mimeType: "image/png" },
      { type: "resource_link" as const, uri: "https://harbour.example/map", name: "Map" },
      { type: "resource" as const, resource: { uri: "file:///log", text: "the log" } },
    ],
  }));
  server.registerTool("slow", { inputSchema: z.object({}) }, async (_, ctx) => {
    const { _meta: meta } = ctx.mcpReq;
    const token = meta?.progressToken;
    for (const [progress, message] of [
      [1, "Casting off"],
      [2, "Under way"],
    ] as const) {
      if (token !== undefined)
        await ctx.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken: token, progress, total: 2, message },
        });
    }
    return said("arrived");
  });
  server.registerTool("hang", { inputSchema: z.object({}) }, () => new Promise<never>(() => undefined));
  addTools(server);
  return server;
}
