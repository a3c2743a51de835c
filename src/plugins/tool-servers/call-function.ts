import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { ToolOutcome, ToolScope } from "../tool.ts";
import { listingKey, toFailure } from "./known-listing.ts";
import { callMcpFunction } from "./mcp/call-tool.ts";
import type { McpSessions } from "./mcp/mcp-sessions.ts";
import { callOperation } from "./openapi/call-operation.ts";
import { noteOutage, pausedFor } from "./server-circuit.ts";
import { ServerFailure } from "./server-failure.ts";
import type { ServerFunction } from "./tool-server-state.ts";
import type { ToolServer } from "./tool-server.ts";

/** Calls a function of a server. Never throws: failures are reported to the model. */
export async function callFunction(
  ctx: Context,
  user: User,
  server: ToolServer,
  plan: ServerFunction["plan"],
  args: Record<string, unknown>,
  scope: ToolScope,
  sessions: McpSessions,
): Promise<ToolOutcome> {
  const key = listingKey(server);
  try {
    const pause = pausedFor(ctx, key);
    if (pause !== undefined)
      throw new ServerFailure(
        "refused",
        `${server.name} failed several times in a row; it can be tried again in ${pause} s`,
      );
    return plan.kind === "openapi"
      ? await callOperation(ctx, user, server, plan, args, scope)
      : await callMcpFunction(ctx, server, plan, args, scope, sessions);
  } catch (error) {
    const failure = toFailure(error);
    if (failure.kind === "outage") noteOutage(ctx, key);
    if (failure.cause !== undefined)
      ctx.log.warn("a call to a tool server failed", {
        server_id: server.id,
        kind: failure.kind,
        error: failure.cause,
      });
    return { ok: false, message: failure.message };
  }
}
