import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { AttachedTool, Attachment } from "../tool.ts";
import { callFunction } from "./call-function.ts";
import { connectionsOf, findServers } from "./find-tool-servers.ts";
import type { ServerFunction } from "./tool-server-state.ts";
import { listingForTurn, toFailure } from "./known-listing.ts";
import { createMcpSessions, type McpSessions } from "./mcp/mcp-sessions.ts";
import { notConnected } from "./oauth/access-token.ts";
import { toolName } from "./openapi/tool-name.ts";
import { bareServerId, type ToolServer } from "./tool-server.ts";

/** Milliseconds for which a turn waits for lists of functions. */
const timeoutMs = 3000;
/** Servers of one turn. */
const maxServers = 50;

/**
 * The functions of the named tool servers (`server:<id>`, `server:mcp:<id>`; other ids are passed over) as tools of a turn.
 * Servers that do not answer, or that the person has to connect to first, become notes; never an error, and never more
 * than about 3 s. Warm it costs no round trip, or one where people connect to one of the servers themselves.
 */
export async function attachToolServers(ctx: Context, ids: readonly string[]): Promise<Attachment> {
  const user = requireUser(ctx);
  const wanted = [...new Set(ids.flatMap((id) => bareServerId(id) ?? []))].slice(0, maxServers);
  if (wanted.length === 0) return { tools: [], notes: [], close: () => undefined };
  const servers = await findServers(ctx, user, wanted);
  const connected = servers.some((server) => server.authType === "oauth")
    ? new Set((await connectionsOf(ctx, user)).map(({ serverId }) => serverId))
    : undefined;
  const sessions = createMcpSessions(ctx, user);
  const found = await Promise.all(
    servers.map((server) =>
      server.authType === "oauth" && !connected?.has(server.id)
        ? { note: notConnected(server).message }
        : look(ctx, user, server),
    ),
  );
  const notes = found.flatMap((outcome) => ("note" in outcome ? [outcome.note] : []));
  const missing = wanted.length - servers.length;
  if (missing > 0)
    notes.push(
      missing === 1
        ? "A selected tool server no longer exists, or you have no access to it."
        : `${missing} selected tool servers no longer exist, or you have no access to them.`,
    );
  const taken = new Set<string>();
  const tools = found.flatMap((outcome) =>
    "note" in outcome
      ? []
      : outcome.functions.map((offered) => attached(ctx, user, outcome.server, offered, taken, sessions)),
  );
  return { tools, notes, close: () => sessions.close() };
}

type Looked = { server: ToolServer; functions: ServerFunction[] } | { note: string };

async function look(ctx: Context, user: User, server: ToolServer): Promise<Looked> {
  try {
    const { functions } = await listingForTurn(ctx, user, server, timeoutMs);
    const { functions: allowed } = server;
    return {
      server,
      functions: allowed.length === 0 ? functions : functions.filter(({ spec }) => allowed.includes(spec.name)),
    };
  } catch (error) {
    const { kind, message } = toFailure(error);
    if (kind === "sign_in") return { note: message };
    return { note: `The tools of ${server.name} are left out: ${message}.`.replace(/\.\.$/, ".") };
  }
}

function attached(
  ctx: Context,
  user: User,
  server: ToolServer,
  { spec, plan }: ServerFunction,
  taken: Set<string>,
  sessions: McpSessions,
): AttachedTool {
  const name = toolName(taken.has(spec.name) ? `${server.name}_${spec.name}` : spec.name, taken);
  return {
    spec: { ...spec, name },
    source: { kind: server.kind, id: server.id, name: server.name },
    call: (args, scope) => callFunction(ctx, user, server, plan, args, scope, sessions),
  };
}
