import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { attachToolServers } from "../../plugins/tool-servers/attach-tool-servers.ts";
import type { ToolScope } from "../../plugins/tool.ts";
import type { SearchResult } from "./provider.ts";
import { readToolResults } from "./read-results.ts";
import { SearchFailure } from "./search-failure.ts";

/**
 * Asks the tool of an MCP server (or an OpenAPI one) that is chosen for searches, with the caller's rights.
 * @throws SearchFailure
 */
export async function askMcp(
  ctx: Context,
  { query, count, signal }: { query: string; count: number; signal: AbortSignal },
): Promise<SearchResult[]> {
  const { WEB_SEARCH_MCP_SERVER: server, WEB_SEARCH_MCP_TOOL: name } = ctx.settings;
  const id = server.startsWith("server:") ? server : `server:mcp:${server}`;
  const attachment = await attachToolServers(ctx, [id]);
  try {
    const tool = attachment.tools.find(({ spec }) => spec.name === name);
    if (!tool)
      throw new SearchFailure(attachment.notes[0] ?? `The tool server has no tool with the name ${name.slice(0, 100)}`);
    const fields = (tool.spec.parameters as { properties?: Record<string, unknown> }).properties ?? {};
    const amount = ["count", "num_results", "max_results", "limit"].find((field) => Object.hasOwn(fields, field));
    const asked = { query, ...(amount === undefined ? {} : { [amount]: count }) };
    const outcome = await tool.call(asked, scopeOf(signal));
    if (!outcome.ok) throw new SearchFailure(`${tool.source.name}: ${outcome.message.slice(0, 300)}`);
    return readToolResults(outcome.content);
  } finally {
    attachment.close();
  }
}

/** A call outside of any message: what the tool reports is shown nowhere, and it can ask nobody. */
function scopeOf(signal: AbortSignal): ToolScope {
  const capabilities = {
    emit: async () => undefined,
    call: async () => {
      throw new AppError("no_client", "A search cannot ask anybody");
    },
    request: async () => {
      throw new AppError("forbidden", "A search has no access to anything else");
    },
  };
  return {
    callId: crypto.randomUUID(),
    chatId: undefined,
    messageId: undefined,
    sessionId: undefined,
    model: "",
    messages: [],
    capabilities,
    capabilitiesOf: () => capabilities,
    signal,
  };
}
