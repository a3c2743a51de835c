import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { hasPermission, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { stamps } from "../../db/tables.ts";
import type { Grant } from "../../people/grants/grant.ts";
import { grants } from "../../people/grants/tables.ts";
import { toolServerState } from "./tool-server-state.ts";
import { mayUseServer } from "./server-rights.ts";
import { toolServers, toolServerTokens } from "./tables.ts";
import { openToolServer, type ToolServer } from "./tool-server.ts";

/** Servers that administrators keep, by id, in the order in which they were made: no round trip while nothing has changed, else one. */
export async function loadToolServers(ctx: Context): Promise<Map<string, ToolServer>> {
  const state = toolServerState(ctx);
  if (state.index?.stamp === ctx.catalogStamp) return state.index.servers;
  // The stamp is read in the same transaction: what a later writer changes has a later stamp.
  const [stampRows, rows, grantRows] = await ctx.db.batch([
    ctx.db.select().from(stamps).where(eq(stamps.name, "catalog")),
    ctx.db.select().from(toolServers).where(isNull(toolServers.userId)).orderBy(toolServers.createdAt, toolServers.id),
    ctx.db.select().from(grants).where(eq(grants.resourceType, "tool_server")).orderBy(grants.id),
  ]);
  const byServer = Map.groupBy(grantRows, (row) => row.resourceId) as Map<string, Grant[]>;
  const opened = await Promise.all(rows.map((row) => openToolServer(ctx.vault, row, byServer.get(row.id) ?? [])));
  const servers = new Map(opened.map((server) => [server.id, server]));
  state.index = { stamp: stampRows[0]?.value ?? 0, servers };
  return servers;
}

/** Servers that the person may use, with those among them that they are connected to. */
export interface Usable {
  servers: ToolServer[];
  connected: ReadonlySet<string>;
}

/** All servers that the person may use: one round trip at most when warm. */
export async function findUsableServers(ctx: Context, user: User): Promise<Usable> {
  const kept = [...(await loadToolServers(ctx)).values()].filter((server) => mayUseServer(user, server));
  const mayHaveOwn = hasPermission(user, "features.direct_tool_servers");
  if (!mayHaveOwn && !kept.some((server) => server.authType === "oauth"))
    return { servers: kept, connected: new Set() };
  const [rows, connected] = await ctx.db.batch([
    ctx.db
      .select()
      .from(toolServers)
      .where(and(eq(toolServers.userId, user.id), mayHaveOwn ? undefined : sql`FALSE`))
      .orderBy(toolServers.createdAt, toolServers.id),
    connectionsOf(ctx, user),
  ]);
  const own = await Promise.all(rows.map((row) => openToolServer(ctx.vault, row, [])));
  return {
    servers: [...kept, ...own.filter((server) => mayUseServer(user, server))],
    connected: new Set(connected.map((row) => row.serverId)),
  };
}

/** Those of the named servers that the person may use, in that order: no round trip when warm, one with own servers. */
export async function findServers(ctx: Context, user: User, ids: readonly string[]): Promise<ToolServer[]> {
  const kept = await loadToolServers(ctx);
  const others = ids.filter((id) => !kept.has(id));
  const own = new Map<string, ToolServer>();
  if (others.length > 0 && hasPermission(user, "features.direct_tool_servers")) {
    const rows = await ctx.db
      .select()
      .from(toolServers)
      .where(and(eq(toolServers.userId, user.id), inArray(toolServers.id, others)));
    for (const row of rows) own.set(row.id, await openToolServer(ctx.vault, row, []));
  }
  return ids.flatMap((id) => {
    const server = kept.get(id) ?? own.get(id);
    return server && mayUseServer(user, server) ? [server] : [];
  });
}

/** Statement: servers that the person is connected to. */
export function connectionsOf(ctx: Context, user: User) {
  return ctx.db
    .select({ serverId: toolServerTokens.serverId })
    .from(toolServerTokens)
    .where(eq(toolServerTokens.userId, user.id));
}
