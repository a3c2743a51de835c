import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isForeignKeyViolation } from "../../db/database-error.ts";
import { AppError } from "../../errors.ts";
import { checkedHeaders } from "../../http/check-headers.ts";
import { newId } from "../../lib/id.ts";
import { auditRow, auditRowIf } from "../../people/audit/audit-row.ts";
import { recheckEverybody, recheckOrganization } from "../../people/recheck.ts";
import { catalogState } from "../catalog/catalog-state.ts";
import { defaultBudgetMs } from "../catalog/look-up-list.ts";
import { askAll } from "../catalog/provider-lists.ts";
import { checkedBaseUrl } from "./check-base-url.ts";
import { connectionView } from "./connection-view.ts";
import type { Connection } from "./connection.ts";
import { environmentConnections } from "./environment-connections.ts";
import { openConnection, openHeaders, sealHeaders, type ConnectionRow } from "./open-connection.ts";
import type { ConnectionChange, ConnectionView, NewConnection } from "./schema.ts";
import { connectionChecks, connections } from "./tables.ts";

/**
 * All connections, those from the environment first.
 * @throws AppError `forbidden`.
 */
export async function listConnections(ctx: Context): Promise<ConnectionView[]> {
  requireAdmin(ctx);
  const [rows, checks] = await ctx.db.batch([
    ctx.db.select().from(connections).orderBy(connections.createdAt, connections.id),
    ctx.db.select().from(connectionChecks),
  ]);
  const checkOf = new Map(checks.map((check) => [check.connectionId, check]));
  const stored = await Promise.all(rows.map((row) => openConnection(ctx.vault, row)));
  return [...environmentConnections(ctx.settings), ...stored].map((connection) =>
    connectionView(ctx, connection, checkOf.get(connection.id)),
  );
}

/** @throws AppError `forbidden`, `not_found`. */
export async function getConnection(ctx: Context, id: string): Promise<ConnectionView> {
  requireAdmin(ctx);
  const [rows, checks] = await ctx.db.batch([
    ctx.db.select().from(connections).where(eq(connections.id, id)),
    ctx.db.select().from(connectionChecks).where(eq(connectionChecks.connectionId, id)),
  ]);
  return connectionView(ctx, await openedOrLocked(ctx, id, rows[0]), checks[0]);
}

/**
 * One connection with its secrets, from the environment or stored.
 * @throws AppError `not_found`.
 */
export async function getOpenConnection(ctx: Context, id: string): Promise<Connection> {
  const [row] = await ctx.db.select().from(connections).where(eq(connections.id, id));
  return openedOrLocked(ctx, id, row);
}

async function openedOrLocked(ctx: Context, id: string, row: ConnectionRow | undefined): Promise<Connection> {
  const locked = findLocked(ctx, id);
  if (locked) return locked;
  if (!row) throw unknownConnection();
  return openConnection(ctx.vault, row);
}

function findLocked(ctx: Context, id: string): Connection | undefined {
  return environmentConnections(ctx.settings).find((connection) => connection.id === id);
}

/**
 * Translates a failed reference, which can only be the organization.
 * @throws AppError `validation_failed` if it does not exist.
 */
function refuseUnknownOrganization(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error;
  const message = "No such organization";
  throw new AppError("validation_failed", `organization_id: ${message}`, {
    param: "organization_id",
    issues: [{ path: "organization_id", message }],
  });
}

function unknownConnection(): AppError {
  return new AppError("not_found", "No such connection");
}

/** @throws AppError `forbidden`; `validation_failed` for an invalid address or header. */
export async function createConnection(ctx: Context, input: NewConnection): Promise<ConnectionView> {
  requireAdmin(ctx);
  const { row, statements } = await newConnectionRows(ctx, newId(), input);
  await ctx.db.batch(statements).catch(refuseUnknownOrganization);
  return changed(ctx, row, true, true);
}

/** The row of a new connection, and the statements that store it. @throws AppError `validation_failed` */
export async function newConnectionRows(ctx: Context, id: string, input: NewConnection) {
  const now = ctx.now();
  const baseUrl = checkedBaseUrl(input.kind, input.base_url);
  const headers = checkedHeaders(input.headers, {});
  const row: ConnectionRow = {
    id,
    kind: input.kind,
    name: input.name || new URL(baseUrl).host,
    baseUrl,
    sealedKey: input.key === "" ? null : await ctx.vault.seal(input.key),
    sealedHeaders: await sealHeaders(ctx.vault, headers),
    organizationId: input.organization_id,
    prefixId: input.prefix_id,
    modelIds: [...new Set(input.model_ids)],
    tags: [...new Set(input.tags)],
    enabled: input.enabled,
    quirks: input.quirks,
    policy: input.policy,
    createdAt: now,
    updatedAt: now,
  };
  const statements = [
    ctx.db.insert(connections).values(row),
    auditRow(ctx, {
      action: "connection.created",
      targetType: "connection",
      targetId: row.id,
      detail: {
        kind: row.kind,
        name: row.name,
        base_url: baseUrl,
        has_key: row.sealedKey !== null,
        headers: Object.keys(headers),
        organization_id: row.organizationId,
      },
    }),
  ] as const;
  return { row, statements };
}

/**
 * Changes only the given fields: administrators who edit different fields do not overwrite each other.
 * @throws AppError `forbidden`, `not_found`, `setting_locked`, `validation_failed`, `conflict`.
 */
export async function changeConnection(ctx: Context, id: string, change: ConnectionChange): Promise<ConnectionView> {
  requireAdmin(ctx);
  if (findLocked(ctx, id)) throw lockedConnection();
  const [row] = await ctx.db.select().from(connections).where(eq(connections.id, id));
  if (!row) throw unknownConnection();
  const kind = change.kind ?? row.kind;
  const moves = change.base_url !== undefined || change.kind !== undefined;
  const baseUrl = moves ? checkedBaseUrl(kind, change.base_url ?? row.baseUrl) : row.baseUrl;
  // Nobody has given it a name: it follows its address.
  const isNamedByHost = change.name === undefined && row.name === URL.parse(row.baseUrl)?.host;
  const headers =
    change.headers && checkedHeaders(change.headers, await openHeaders(ctx.vault, row.sealedHeaders).catch(() => ({})));
  const values: SQLiteUpdateSetSource<typeof connections> = {
    updatedAt: Math.max(ctx.now(), row.updatedAt),
    ...(change.kind !== undefined ? { kind } : {}),
    ...(moves ? { baseUrl } : {}),
    ...(change.name !== undefined || isNamedByHost ? { name: change.name || new URL(baseUrl).host } : {}),
    ...(change.key !== undefined ? { sealedKey: change.key === "" ? null : await ctx.vault.seal(change.key) } : {}),
    ...(headers ? { sealedHeaders: await sealHeaders(ctx.vault, headers) } : {}),
    ...(change.organization_id !== undefined ? { organizationId: change.organization_id } : {}),
    ...(change.prefix_id !== undefined ? { prefixId: change.prefix_id } : {}),
    ...(change.model_ids !== undefined ? { modelIds: [...new Set(change.model_ids)] } : {}),
    ...(change.tags !== undefined ? { tags: [...new Set(change.tags)] } : {}),
    ...(change.enabled !== undefined ? { enabled: change.enabled } : {}),
    ...(change.quirks !== undefined ? { quirks: withNamed(connections.quirks, change.quirks) } : {}),
    ...(change.policy !== undefined ? { policy: withNamed(connections.policy, change.policy) } : {}),
  };
  // Kept header values were read before they are written: who changed them in between must not be undone unseen.
  const unchanged = headers ? sql`${connections.sealedHeaders} IS ${row.sealedHeaders}` : undefined;
  const isOtherPlace = moves || change.key !== undefined || headers !== undefined;
  const [rows] = await ctx.db
    .batch([
      ctx.db
        .update(connections)
        .set(values)
        .where(and(eq(connections.id, id), unchanged))
        .returning(),
      auditRowIf(ctx, {
        action: "connection.updated",
        targetType: "connection",
        targetId: id,
        detail: auditDetail(change, baseUrl, headers),
      }),
      // What was found out about the old address says nothing about the new one.
      ctx.db
        .delete(connectionChecks)
        .where(and(eq(connectionChecks.connectionId, id), isOtherPlace ? undefined : sql`FALSE`)),
    ])
    .catch(refuseUnknownOrganization);
  if (rows[0]) {
    // Anyone who had its models and has them no more may be reading an answer of one.
    if (rows[0].organizationId !== row.organizationId) {
      if (row.organizationId === null) await recheckEverybody(ctx);
      else await recheckOrganization(ctx, row.organizationId);
    }
    return changed(ctx, rows[0], isOtherPlace, isOtherPlace || change.enabled === true);
  }
  const [still] = await ctx.db.select({ id: connections.id }).from(connections).where(eq(connections.id, id));
  throw still
    ? new AppError("conflict", "Someone else changed the headers at the same time: reload the connection")
    : unknownConnection();
}

/** The given fields merged into the row, in the statement itself. */
function withNamed(column: SQLiteColumn, named: Record<string, unknown>): SQL {
  const pairs = Object.entries(named).map(([name, value]) => sql`, ${`$.${name}`}, json(${JSON.stringify(value)})`);
  return pairs.length === 0 ? sql`${column}` : sql`json_set(${column}${sql.join(pairs)})`;
}

/** Values that are not secret, and whether secret ones changed. */
function auditDetail(
  change: ConnectionChange,
  baseUrl: string,
  headers: Record<string, string> | undefined,
): Record<string, unknown> {
  const { key, headers: _, ...plain } = change;
  return {
    ...plain,
    ...(change.base_url !== undefined ? { base_url: baseUrl } : {}),
    ...(key !== undefined ? { key: key === "" ? "removed" : "replaced" } : {}),
    ...(headers ? { headers: Object.keys(headers) } : {}),
  };
}

/** @throws AppError `forbidden`, `not_found`, `setting_locked`. */
export async function deleteConnection(ctx: Context, id: string): Promise<void> {
  requireAdmin(ctx);
  if (findLocked(ctx, id)) throw lockedConnection();
  const isThere = sql`EXISTS (SELECT 1 FROM ${connections} WHERE id = ${id})`;
  const detail = sql`(SELECT json_object('name', name, 'base_url', base_url, 'organization_id', organization_id)
    FROM ${connections} WHERE id = ${id})`;
  const [, rows] = await ctx.db.batch([
    auditRowIf(ctx, { action: "connection.deleted", targetType: "connection", targetId: id, detail }, isThere),
    ctx.db.delete(connections).where(eq(connections.id, id)).returning({ id: connections.id }),
    ctx.db.delete(connectionChecks).where(eq(connectionChecks.connectionId, id)),
  ]);
  if (rows.length === 0) throw unknownConnection();
}

function lockedConnection(): AppError {
  return new AppError(
    "setting_locked",
    "This connection is set by an environment variable: change the variable and restart the service",
  );
}

/** With `ask`, the provider is asked after the response, so that state and models are ready when needed. */
async function changed(ctx: Context, row: ConnectionRow, isOtherPlace: boolean, ask: boolean): Promise<ConnectionView> {
  const connection = await openConnection(ctx.vault, row);
  const checks = isOtherPlace
    ? []
    : await ctx.db.select().from(connectionChecks).where(eq(connectionChecks.connectionId, row.id));
  if (isOtherPlace) catalogState(ctx).noted.delete(row.id);
  if (ask && connection.enabled) askAll(ctx, [connection], defaultBudgetMs);
  return connectionView(ctx, connection, checks[0]);
}
