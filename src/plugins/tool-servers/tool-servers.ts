import { and, eq, sql, type SQL } from "drizzle-orm";
import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { grantView, type Grant } from "../../people/grants/grant.ts";
import { checkGrants, replaceGrants } from "../../people/grants/grants.ts";
import type { GrantView } from "../../people/grants/schema.ts";
import { grants } from "../../people/grants/tables.ts";
import { homeOf, plainUrl } from "./audit-detail.ts";
import { asSharer, checkGrantKinds } from "./check-tool-server.ts";
import { connectionsOf } from "./find-tool-servers.ts";
import { knownListing, refreshListing } from "./known-listing.ts";
import type { ToolServerView } from "./schema.ts";
import { mayChangeServer, mayUseServer } from "./server-rights.ts";
import { toolServers, toolServerTokens } from "./tables.ts";
import { openToolServer, toolServerView, type ToolServer, type ToolServerRow } from "./tool-server.ts";

/** How long a server that was saved is asked for its functions, in the background; milliseconds. */
const lookTimeoutMs = 10_000;

/** The servers that the caller keeps, may use, or has of their own, in the order in which they were made. */
export async function listServers(ctx: Context): Promise<ToolServerView[]> {
  const user = requireUser(ctx);
  const [rows, grantRows, connected] = await ctx.db.batch([
    ctx.db
      .select()
      .from(toolServers)
      .where(sql`${toolServers.userId} IS NULL OR ${toolServers.userId} = ${user.id}`)
      .orderBy(toolServers.createdAt, toolServers.id),
    ctx.db.select().from(grants).where(eq(grants.resourceType, "tool_server")).orderBy(grants.id),
    connectionsOf(ctx, user),
  ]);
  const byServer = Map.groupBy(grantRows, (row) => row.resourceId) as Map<string, Grant[]>;
  const servers = await Promise.all(rows.map((row) => openToolServer(ctx.vault, row, byServer.get(row.id) ?? [])));
  const ids = new Set(connected.map((row) => row.serverId));
  return servers.filter((server) => maySee(user, server)).map((server) => viewFor(ctx, user, server, ids));
}

function maySee(user: User, server: ToolServer): boolean {
  return mayChangeServer(user, server) || mayUseServer(user, server);
}

export function viewFor(ctx: Context, user: User, server: ToolServer, connected: ReadonlySet<string>): ToolServerView {
  const known = knownListing(ctx, user, server);
  return toolServerView(server, mayChangeServer(user, server), connected, {
    state: known ? (known.error === undefined ? "ok" : "failed") : "unknown",
    checked_at: known?.checkedAt ?? null,
    ...(known?.error === undefined ? {} : { error: known.error }),
    function_count: known?.listing?.functions.length ?? 0,
  });
}

/** @throws AppError `not_found` for a server that is not there or that the caller may not see. */
export async function getServer(ctx: Context, id: string): Promise<ToolServerView> {
  const { user, server, connected } = await findVisible(ctx, id);
  return viewFor(ctx, user, server, connected);
}

export interface Visible {
  user: User;
  row: ToolServerRow;
  server: ToolServer;
  connected: ReadonlySet<string>;
}

/** @throws AppError `not_found` */
export async function findVisible(ctx: Context, id: string): Promise<Visible> {
  const user = requireUser(ctx);
  const [rows, grantRows, connected] = await ctx.db.batch([
    ctx.db.select().from(toolServers).where(eq(toolServers.id, id)),
    selectGrants(ctx, id),
    connectionsOf(ctx, user),
  ]);
  const [row] = rows;
  const server = row && (await openToolServer(ctx.vault, row, grantRows));
  if (!row || !server || !maySee(user, server)) throw unknownServer();
  return { user, row, server, connected: new Set(connected.map(({ serverId }) => serverId)) };
}

/** The server, for someone who may change it. @throws AppError `not_found`, `forbidden` */
export async function findChangeable(ctx: Context, id: string): Promise<Visible> {
  const found = await findVisible(ctx, id);
  if (!mayChangeServer(found.user, found.server))
    throw new AppError("forbidden", `You can use ${found.server.name}, but only administrators can change it`);
  return found;
}

export function unknownServer(): AppError {
  return new AppError("not_found", "No such tool server");
}

export function selectGrants(ctx: Context, id: string) {
  return ctx.db
    .select()
    .from(grants)
    .where(and(eq(grants.resourceType, "tool_server"), eq(grants.resourceId, id)))
    .orderBy(grants.id);
}

export function exists(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${toolServers} WHERE ${toolServers.id} = ${id})`;
}

async function checkAccess(ctx: Context, user: User, server: ToolServer, given: GrantView[]): Promise<void> {
  checkGrantKinds(server, given);
  await checkGrants(ctx, asSharer(user), "tool_server", given, server.grants.map(grantView));
}

/** Changes who may use the server. @throws AppError `not_found`, `forbidden`, `validation_failed`. */
export async function changeServerAccess(ctx: Context, id: string, given: GrantView[]): Promise<ToolServerView> {
  const { user, server } = await findChangeable(ctx, id);
  await checkAccess(ctx, user, server, given);
  const [, , , grantRows, rows] = await ctx.db.batch([
    auditRowIf(
      ctx,
      {
        action: "tool_server.access_updated",
        targetType: "tool_server",
        targetId: id,
        ...homeOf(server),
        detail: { access_grants: given },
      },
      exists(id),
    ),
    ...replaceGrants(ctx, "tool_server", id, given, exists(id)),
    selectGrants(ctx, id),
    ctx.db.select().from(toolServers).where(eq(toolServers.id, id)),
  ]);
  if (!rows[0]) throw unknownServer();
  return saved(ctx, user, rows[0], grantRows, false);
}

/** Its grants and everybody's access to it go with it. @throws AppError `not_found`, `forbidden`. */
export async function deleteServer(ctx: Context, id: string): Promise<void> {
  const { server } = await findChangeable(ctx, id);
  const [, rows] = await ctx.db.batch([
    auditRowIf(
      ctx,
      {
        action: "tool_server.deleted",
        targetType: "tool_server",
        targetId: id,
        ...homeOf(server),
        detail: { name: server.name, url: plainUrl(server.url), organization_id: server.organizationId },
      },
      exists(id),
    ),
    ctx.db.delete(toolServers).where(eq(toolServers.id, id)).returning({ id: toolServers.id }),
  ]);
  if (rows.length === 0) throw unknownServer();
}

/** A server as it is after a change. With `ask`, it is asked after the answer, so that its state is there when it is looked for. */
export async function saved(
  ctx: Context,
  user: User,
  row: ToolServerRow,
  grantRows: Grant[],
  ask: boolean,
): Promise<ToolServerView> {
  const server = await openToolServer(ctx.vault, row, grantRows);
  const tokens = await ctx.db
    .select({ id: toolServerTokens.serverId })
    .from(toolServerTokens)
    .where(and(eq(toolServerTokens.serverId, row.id), eq(toolServerTokens.userId, user.id)));
  if (ask && server.enabled) ctx.waitUntil(refreshListing(ctx, user, server, lookTimeoutMs).catch(() => undefined));
  return viewFor(ctx, user, server, new Set(tokens.map(({ id }) => id)));
}
