import type { Tool } from "@modelcontextprotocol/client";

/** How a function of an MCP server is called: by its original name, which may differ from the one for models. */
export interface McpPlan {
  kind: "mcp";
  tool: Pick<Tool, "name" | "inputSchema" | "outputSchema">;
}
