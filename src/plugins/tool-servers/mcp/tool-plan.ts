import type { Tool } from "@modelcontextprotocol/client";

/** How a function of an MCP server is called: as the server described it, by its own name, which models may not be told. */
export interface McpPlan {
  kind: "mcp";
  tool: Pick<Tool, "name" | "inputSchema" | "outputSchema">;
}
