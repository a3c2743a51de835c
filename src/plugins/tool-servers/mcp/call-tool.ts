import { ProtocolError, SdkHttpError, type CallToolResult, type Progress } from "@modelcontextprotocol/client";
import type { Context } from "../../../context.ts";
import type { ToolOutcome, ToolScope } from "../../tool.ts";
import { listingKey } from "../known-listing.ts";
import { noteAnswer } from "../server-circuit.ts";
import type { ToolServer } from "../tool-server.ts";
import { withoutSecrets } from "../without-secrets.ts";
import { type McpConnection, toServerFailure } from "./connect-client.ts";
import type { McpSessions } from "./mcp-sessions.ts";
import { renderResult } from "./render-result.ts";
import type { McpPlan } from "./tool-plan.ts";

/**
 * Calls a function of an MCP server. Its progress is shown as the status of the message.
 * @throws ServerFailure
 */
export async function callMcpFunction(
  ctx: Context,
  server: ToolServer,
  plan: McpPlan,
  args: Record<string, unknown>,
  scope: ToolScope,
  sessions: McpSessions,
): Promise<ToolOutcome> {
  const progress = createProgress(server, scope);
  const attempt = async (connection: McpConnection): Promise<ToolOutcome> => {
    const { client, notes } = connection;
    notes.failure = undefined;
    try {
      const result: CallToolResult = await client.callTool(
        { name: plan.tool.name, arguments: args },
        {
          timeout: server.timeout * 1000,
          maxTotalTimeout: server.timeout * 1000,
          signal: scope.signal,
          onprogress: progress.note,
          toolDefinition: plan.tool,
        },
      );
      noteAnswer(ctx, listingKey(server));
      return renderResult(result, notes.secrets);
    } catch (error) {
      if (error instanceof ProtocolError) {
        noteAnswer(ctx, listingKey(server));
        return { ok: false, message: withoutSecrets(`The server refused the call: ${error.message}`, notes.secrets) };
      }
      throw error;
    }
  };
  const first = await sessions.open(server, scope);
  try {
    return await attempt(first);
  } catch (error) {
    // A session that the server has forgotten: nothing was done, and a new one may be begun (MCP, session management).
    const isLost = error instanceof SdkHttpError && error.status === 404;
    sessions.drop(first);
    if (!isLost) throw toServerFailure(error, server, first.notes);
    const second = await sessions.open(server, scope);
    return await attempt(second).catch((again: unknown) => {
      sessions.drop(second);
      throw toServerFailure(again, server, second.notes);
    });
  } finally {
    await progress.end();
  }
}

/** Steps of one call that are shown. */
const maxSteps = 50;

function createProgress(server: ToolServer, { capabilities }: ToolScope) {
  let last = "";
  let steps = 0;
  let sent: Promise<void> = Promise.resolve();
  const emit = (description: string, done: boolean) => {
    sent = sent
      .then(() => capabilities.emit({ type: "status", data: { description, done } }))
      // Nobody may be there to see it.
      .catch(() => undefined);
  };
  return {
    note({ message, progress, total }: Progress) {
      const far = total ? `${Math.min(100, Math.round((progress / total) * 100))} %` : "";
      const text = [`${server.name}:`, message?.slice(0, 300) ?? "", far].filter(Boolean).join(" ");
      if (text === last || text === `${server.name}:` || steps >= maxSteps) return;
      last = text;
      steps++;
      emit(text, false);
    },
    async end() {
      if (last !== "") emit(last, true);
      await sent;
    },
  };
}
