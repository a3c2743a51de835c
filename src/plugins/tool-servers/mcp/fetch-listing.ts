import type { Tool } from "@modelcontextprotocol/client";
import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import type { Listing, ServerFunction } from "../tool-server-state.ts";
import { createDereferencer } from "../openapi/dereference.ts";
import { modelSchema } from "../openapi/model-schema.ts";
import { toolName } from "../openapi/tool-name.ts";
import { tooSlow } from "../server-failure.ts";
import type { ToolServer } from "../tool-server.ts";
import { connectMcp, explain } from "./connect-client.ts";

const maxFunctions = 1000;
const maxDescriptionLength = 4000;
/** Characters of a schema that is kept as the server wrote it. */
const maxSchemaLength = 100_000;

/** Asks an MCP server for its functions, page by page. @throws ServerFailure */
export async function fetchMcpListing(
  ctx: Context,
  user: User,
  server: ToolServer,
  timeoutMs: number,
): Promise<Listing> {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(tooSlow(new URL(server.url), Math.max(1, Math.round(timeoutMs / 1000))));
      ending.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([ask(ctx, user, server, timeoutMs, ending.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function ask(
  ctx: Context,
  user: User,
  server: ToolServer,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Listing> {
  const place = { chatId: undefined, messageId: undefined };
  const connection = await connectMcp(ctx, user, server, place, { timeoutMs, signal });
  const { client, notes, prior } = connection;
  try {
    const { tools } = await client.listTools(undefined, { timeout: timeoutMs, signal });
    const named = client.getServerVersion();
    return { ...readTools(tools), name: (named?.title ?? named?.name ?? "").slice(0, 200), prior };
  } catch (error) {
    throw explain(error, server, notes);
  } finally {
    ctx.waitUntil(connection.close());
  }
}

function readTools(tools: Tool[]): Pick<Listing, "functions" | "warnings"> {
  const warnings = new Set<string>();
  if (tools.length > maxFunctions) warnings.add(`Only the first ${maxFunctions} functions are used`);
  const taken = new Set<string>();
  const functions = tools.slice(0, maxFunctions).map((tool): ServerFunction => {
    const refs = createDereferencer(tool.inputSchema);
    const parameters = modelSchema(refs.expand(tool.inputSchema));
    for (const warning of refs.warnings) warnings.add(warning);
    const description = (tool.description ?? tool.title ?? tool.name).trim().slice(0, maxDescriptionLength);
    return {
      spec: {
        name: toolName(tool.name, taken),
        description,
        parameters: { ...parameters, type: "object", properties: parameters["properties"] ?? {} },
      },
      plan: { kind: "mcp", tool: definition(tool) },
    };
  });
  return { functions, warnings: [...warnings].slice(0, 20) };
}

/** What the protocol's client needs of the description: for headers that mirror arguments, and to check what comes back. */
function definition({ name, inputSchema, outputSchema }: Tool) {
  const isLarge = JSON.stringify([inputSchema, outputSchema]).length > maxSchemaLength;
  return {
    name,
    inputSchema: isLarge ? { type: "object" as const } : inputSchema,
    ...(isLarge || !outputSchema ? {} : { outputSchema }),
  };
}
