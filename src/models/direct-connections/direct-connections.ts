import { and, eq, sql } from "drizzle-orm";
import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { assertPublic, isListedHost } from "../../http/guarded-fetch.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { recheckPeople } from "../../people/recheck.ts";
import { defaultBudgetMs, knownList } from "../catalog/look-up-list.ts";
import { askAll, checkRow } from "../catalog/provider-lists.ts";
import { checkedBaseUrl } from "../connections/check-base-url.ts";
import { statusOf } from "../connections/connection-view.ts";
import type { Connection } from "../connections/connection.ts";
import { openDirectConnection, type DirectRow } from "./load-direct.ts";
import { mayUseDirect, requireDirect } from "./may-use-direct.ts";
import type {
  DirectConnectionChange,
  DirectConnectionList,
  DirectConnectionView,
  NewDirectConnection,
} from "./schema.ts";
import { directConnections } from "./tables.ts";

/** Most connections of one person. */
export const maxDirectConnections = 20;

/** The caller's own connections, oldest first; also while they may not be used, so that they can be removed. */
export async function listDirectConnections(ctx: Context): Promise<DirectConnectionList> {
  const rows = await directRows(ctx, requireUser(ctx));
  const connections = await Promise.all(rows.map((row) => viewOf(ctx, row)));
  return { allowed: mayUseDirect(ctx), connections };
}

export function directRows(ctx: Pick<Context, "db">, user: Pick<User, "id">): Promise<DirectRow[]> {
  return ctx.db
    .select()
    .from(directConnections)
    .where(eq(directConnections.userId, user.id))
    .orderBy(directConnections.createdAt, directConnections.id);
}

/** @throws AppError `not_found`, also for those of others */
export async function getDirectConnection(ctx: Context, id: string): Promise<DirectConnectionView> {
  return viewOf(ctx, await ownRow(ctx, requireUser(ctx), id));
}

/** @throws AppError `not_found`, also for those of others */
export async function ownRow(ctx: Context, user: User, id: string): Promise<DirectRow> {
  const [row] = await ctx.db.select().from(directConnections).where(isOwn(user, id));
  if (!row) throw unknownConnection();
  return row;
}

/** @throws AppError `forbidden`; `validation_failed`, `address_not_allowed`; `limit_reached` */
export async function createDirectConnection(ctx: Context, input: NewDirectConnection): Promise<DirectConnectionView> {
  const user = requireDirect(ctx);
  const row = await newRow(ctx, user.id, input);
  const [stored] = await ctx.db.batch(insertDirect(ctx, row));
  if (stored.length === 0)
    throw new AppError("limit_reached", `You can have at most ${maxDirectConnections} direct connections`);
  return saved(ctx, row);
}

/** @throws AppError `validation_failed`, `address_not_allowed` */
export async function newRow(ctx: Context, userId: string, input: NewDirectConnection): Promise<DirectRow> {
  const baseUrl = checkedDirectUrl(ctx, input.kind, input.base_url);
  return {
    id: newId(),
    userId,
    kind: input.kind,
    name: input.name || new URL(baseUrl).host,
    baseUrl,
    sealedKey: input.key === "" ? null : await ctx.vault.seal(input.key),
    prefixId: input.prefix_id,
    modelIds: [...new Set(input.model_ids)],
    quirks: input.quirks,
    enabled: input.enabled,
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
  };
}

/** Statements: the row, as long as there is room for it, and its audit row. */
export function insertDirect(ctx: Context, row: DirectRow) {
  const count = sql`(SELECT count(*) FROM direct_connections d WHERE d.user_id = ${row.userId})`;
  const hasOwner = sql`EXISTS (SELECT 1 FROM users WHERE id = ${row.userId})`;
  return [
    insertWhere(ctx.db, directConnections, row, sql`${hasOwner} AND ${count} < ${maxDirectConnections}`).returning({
      id: directConnections.id,
    }),
    auditRowIf(ctx, {
      action: "direct_connection.created",
      targetType: "direct_connection",
      targetId: row.id,
      detail: { kind: row.kind, name: row.name, base_url: row.baseUrl, has_key: row.sealedKey !== null },
    }),
  ] as const;
}

/**
 * Changes only the given fields.
 * @throws AppError `forbidden`, `not_found`; `validation_failed`, `address_not_allowed`
 */
export async function changeDirectConnection(
  ctx: Context,
  id: string,
  change: DirectConnectionChange,
): Promise<DirectConnectionView> {
  const user = requireDirect(ctx);
  const row = await ownRow(ctx, user, id);
  const [rows] = await ctx.db.batch(updateDirect(ctx, user, row, await changedValues(ctx, row, change)));
  if (!rows[0]) throw unknownConnection();
  await recheckPeople(ctx, [user.id]);
  return saved(ctx, rows[0]);
}

/** @throws AppError `validation_failed`, `address_not_allowed` */
export async function changedValues(
  ctx: Context,
  row: DirectRow,
  change: DirectConnectionChange,
): Promise<Partial<DirectRow>> {
  const kind = change.kind ?? row.kind;
  const moves = change.base_url !== undefined || change.kind !== undefined;
  const baseUrl = moves ? checkedDirectUrl(ctx, kind, change.base_url ?? row.baseUrl) : row.baseUrl;
  return {
    ...(change.kind !== undefined ? { kind } : {}),
    ...(moves ? { baseUrl } : {}),
    ...(change.name !== undefined ? { name: change.name || new URL(baseUrl).host } : {}),
    ...(change.key !== undefined ? { sealedKey: change.key === "" ? null : await ctx.vault.seal(change.key) } : {}),
    ...(change.prefix_id !== undefined ? { prefixId: change.prefix_id } : {}),
    ...(change.model_ids !== undefined ? { modelIds: [...new Set(change.model_ids)] } : {}),
    ...(change.quirks !== undefined ? { quirks: change.quirks } : {}),
    ...(change.enabled !== undefined ? { enabled: change.enabled } : {}),
  };
}

/** Statements: the change, and its audit row. */
export function updateDirect(ctx: Context, user: User, row: DirectRow, values: Partial<DirectRow>) {
  const { sealedKey, ...plain } = values;
  const key = sealedKey === undefined ? {} : { key: sealedKey === null ? "removed" : "replaced" };
  return [
    ctx.db
      .update(directConnections)
      .set({ ...values, updatedAt: Math.max(ctx.now(), row.updatedAt) })
      .where(isOwn(user, row.id))
      .returning(),
    auditRowIf(ctx, {
      action: "direct_connection.updated",
      targetType: "direct_connection",
      targetId: row.id,
      detail: {
        ...(plain.kind !== undefined ? { kind: plain.kind } : {}),
        ...(plain.name !== undefined ? { name: plain.name } : {}),
        ...(plain.baseUrl !== undefined ? { base_url: plain.baseUrl } : {}),
        ...(plain.enabled !== undefined ? { enabled: plain.enabled } : {}),
        ...key,
      },
    }),
  ] as const;
}

/** Also of those who may have none any more. @throws AppError `not_found` */
export async function deleteDirectConnection(ctx: Context, id: string): Promise<void> {
  const user = requireUser(ctx);
  const [rows] = await ctx.db.batch(deleteDirect(ctx, user, id));
  if (rows.length === 0) throw unknownConnection();
  await recheckPeople(ctx, [user.id]);
}

/** Statements: the deletion, and its audit row. */
export function deleteDirect(ctx: Context, user: User, id: string) {
  return [
    ctx.db.delete(directConnections).where(isOwn(user, id)).returning({ id: directConnections.id }),
    auditRowIf(ctx, { action: "direct_connection.deleted", targetType: "direct_connection", targetId: id }),
  ] as const;
}

/**
 * The address as stored.
 * @throws AppError `validation_failed`; `address_not_allowed` for a private address, unless it is listed in
 *   OUTBOUND_ALLOWED_PRIVATE_HOSTS
 */
export function checkedDirectUrl(
  { environment }: Pick<Context, "environment">,
  kind: DirectRow["kind"],
  text: string,
): string {
  const baseUrl = checkedBaseUrl(kind, text);
  const url = new URL(baseUrl);
  // Every call is guarded on its way out as well, after DNS: here it is said early.
  if (!isListedHost(url, environment.OUTBOUND_ALLOWED_PRIVATE_HOSTS ?? [])) assertPublic(url);
  return baseUrl;
}

function isOwn(user: Pick<User, "id">, id: string) {
  return and(eq(directConnections.id, id), eq(directConnections.userId, user.id));
}

function unknownConnection(): AppError {
  return new AppError("not_found", "No such connection");
}

/** The provider is asked after the response, so that state and models are ready when needed. */
async function saved(ctx: Context, row: DirectRow): Promise<DirectConnectionView> {
  const connection = await openDirectConnection(ctx.vault, row);
  if (connection.enabled) askAll(ctx, [connection], defaultBudgetMs);
  return directConnectionView(ctx, row, connection);
}

async function viewOf(ctx: Context, row: DirectRow): Promise<DirectConnectionView> {
  return directConnectionView(ctx, row, await openDirectConnection(ctx.vault, row));
}

function directConnectionView(ctx: Context, row: DirectRow, connection: Connection): DirectConnectionView {
  const known = knownList(ctx, connection);
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    base_url: row.baseUrl,
    has_key: row.sealedKey !== null,
    prefix_id: row.prefixId,
    model_ids: row.modelIds,
    quirks: connection.quirks,
    enabled: row.enabled,
    usable: row.enabled && mayUseDirect(ctx) && connection.unusable === undefined,
    status: statusOf(connection, known && checkRow(row.id, known)),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
