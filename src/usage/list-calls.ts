import { sql } from "drizzle-orm";
import { requireManager, requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { decodeCursor, encodeCursor, invalidCursor } from "../db/page.ts";
import { ledgerCondition, type Seen } from "./ledger-filter.ts";
import type { CallsQuery, UsageCall, UsageCallPage } from "./schema.ts";
import { usageRecords } from "./tables.ts";
import { flushUse } from "./write-use.ts";

/** The caller's own calls, newest first. The answering connection is hidden from them. */
export async function listOwnCalls(ctx: Context, query: CallsQuery): Promise<UsageCallPage> {
  const page = await listCalls(ctx, { own: requireUser(ctx) }, query);
  return { ...page, calls: page.calls.map((call) => ({ ...call, connection_id: null })) };
}

/**
 * The calls of people whom the caller administers.
 * @throws AppError `forbidden`
 */
export async function listCallsOfAll(ctx: Context, query: CallsQuery): Promise<UsageCallPage> {
  return listCalls(ctx, { managedBy: requireManager(ctx) }, query);
}

type Row = { [Name in keyof UsageCall]: UsageCall[Name] extends boolean ? number : UsageCall[Name] };

async function listCalls(ctx: Context, seen: Seen, query: CallsQuery): Promise<UsageCallPage> {
  await flushUse(ctx);
  const { cursor, limit, from, to, state } = query;
  const conditions = [ledgerCondition(seen, query)];
  if (from !== undefined) conditions.push(sql`n.at >= ${from}`);
  if (to !== undefined) conditions.push(sql`n.at < ${to}`);
  if (state !== undefined) conditions.push(sql`n.state = ${state}`);
  if (cursor !== undefined) conditions.push(sql`(n.at, n.id) < (${placeIn(cursor)})`);
  const rows = await ctx.replica.all<Row>(sql`SELECT n.id, n.at, nullif(n.user_id, '') AS user_id, u.name AS user_name,
      nullif(n.key_id, '') AS key_id, k.name AS key_name, nullif(n.organization_id, '') AS organization_id, n.model, n.base_model,
      nullif(n.connection_id, '') AS connection_id, n.api, n.state, n.code, n.input, n.cached, n.cache_write, n.output, n.reasoning,
      n.total, n.is_estimated, n.requests > 0 AS is_request, n.is_probe, n.is_free, n.duration_ms, n.first_ms
    FROM ${usageRecords} n LEFT JOIN users u ON u.id = n.user_id LEFT JOIN api_keys k ON k.id = n.key_id
    WHERE ${sql.join(conditions, sql` AND `)} ORDER BY n.at DESC, n.id DESC LIMIT ${limit + 1}`);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    calls: shown.map((row) => ({
      ...row,
      is_estimated: row.is_estimated === 1,
      is_request: row.is_request === 1,
      is_probe: row.is_probe === 1,
      is_free: row.is_free === 1,
    })),
    next_cursor: rows.length > limit && last ? encodeCursor([last.at, last.id]) : null,
  };
}

function placeIn(cursor: string) {
  const [at, id] = decodeCursor(cursor, 2);
  if (typeof at !== "number" || typeof id !== "string") throw invalidCursor();
  return sql`${at}, ${id}`;
}
