import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { findUsableServers } from "./find-tool-servers.ts";
import type { ListedToolServer } from "./schema.ts";
import { connectionOf, toolServerId } from "./tool-server.ts";

/** The tool servers that the caller may select for a chat, in the format of tools. At most one round trip when warm. */
export async function listToolServers(ctx: Context): Promise<ListedToolServer[]> {
  const { servers, connected } = await findUsableServers(ctx, requireUser(ctx));
  return servers.map((server) => ({
    id: toolServerId(server),
    name: server.name,
    meta: { description: server.description },
    kind: server.kind,
    has_user_valves: false,
    connection: connectionOf(server, connected),
  }));
}
