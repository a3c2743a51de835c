import { sql, type SQL } from "drizzle-orm";
import { requireManager, requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { groupsSeen, ledgerCondition, type Seen } from "./ledger-filter.ts";
import type { Dimension, UsageQuery, UsageReport, UsageRow } from "./schema.ts";
import { usageDays } from "./tables.ts";
import { flushUse } from "./write-use.ts";

/** Rows of a report per page, and per file. */
export const shownRows = 2000;
export const exportedRows = 50_000;

const secondsOfDay = 86_400;
/** Where nothing is said of the time. */
const defaultDays = 30;

/** By which column rows are told apart, what it is called in the answer, and where its name comes from. */
const columnsOf: Readonly<Record<Dimension, { column: SQL; as: string; name?: SQL }>> = {
  day: { column: sql`n.day`, as: "day" },
  model: { column: sql`n.model`, as: "model" },
  base_model: { column: sql`n.base_model`, as: "base_model" },
  api: { column: sql`n.api`, as: "api" },
  key: { column: sql`n.key_id`, as: "key", name: sql`SELECT name FROM api_keys WHERE id = g.key_id` },
  person: { column: sql`n.user_id`, as: "user", name: sql`SELECT name FROM users WHERE id = g.user_id` },
  group: { column: sql`m.group_id`, as: "group", name: sql`SELECT name FROM groups WHERE id = g.group_id` },
  organization: {
    column: sql`n.organization_id`,
    as: "organization",
    name: sql`SELECT name FROM organizations WHERE id = g.organization_id`,
  },
  connection: {
    column: sql`n.connection_id`,
    as: "connection",
    name: sql`SELECT name FROM connections WHERE id = g.connection_id`,
  },
};

const sums = sql.raw(
  [
    "calls",
    "requests",
    "errors",
    "input",
    "cached",
    "cache_write",
    "output",
    "reasoning",
    "total",
    "estimated",
    "duration_ms",
    "probes",
  ]
    .map((name) => `coalesce(sum(n.${name}), 0) AS ${name}`)
    .join(", "),
);

/** The caller's usage, by day or other dimensions. */
export async function readOwnUsage(ctx: Context, query: UsageQuery, maxRows = shownRows): Promise<UsageReport> {
  return readReport(ctx, { own: requireUser(ctx) }, query, maxRows);
}

/**
 * Usage of all people for system administrators, of their organization for its administrators.
 * @throws AppError `forbidden`
 */
export async function readUsageOfAll(ctx: Context, query: UsageQuery, maxRows = shownRows): Promise<UsageReport> {
  return readReport(ctx, { managedBy: requireManager(ctx) }, query, maxRows);
}

async function readReport(ctx: Context, seen: Seen, query: UsageQuery, maxRows: number): Promise<UsageReport> {
  // Anyone who looks right after a call finds it.
  await flushUse(ctx);
  const { first, last } = daysOf(query, ctx.now());
  const asked = query.group_by.map((dimension) => columnsOf[dimension]);
  const condition = sql`n.day BETWEEN ${first} AND ${last} AND ${ledgerCondition(seen, query)}`;
  const columns = asked.map(({ column, as, name }) => sql`${column} AS ${sql.raw(name ? `${as}_id` : as)}, `);
  const names = asked.flatMap(({ as, name }) => (name ? [sql`, (${name}) AS ${sql.raw(`${as}_name`)}`] : []));
  const byGroup = query.group_by.includes("group")
    ? sql`JOIN group_members m ON m.user_id = n.user_id JOIN groups mg ON mg.id = m.group_id AND ${groupsSeen(seen, sql`mg.organization_id`)}`
    : sql``;
  const order = query.group_by.includes("day") ? sql`g.day, g.total DESC` : sql`g.total DESC, g.calls DESC`;
  const groups = sql.raw(asked.length === 0 ? "" : `GROUP BY ${asked.map((_, at) => at + 1).join(", ")}`);
  const [rows, [totals]] = await ctx.replica.batch([
    ctx.replica.all<Omit<UsageRow, "day"> & { day?: number }>(
      sql`SELECT g.*${sql.join(names)} FROM (SELECT ${sql.join(columns)}${sums} FROM ${usageDays} n ${byGroup} WHERE ${condition} ${groups}) g
        ORDER BY ${order} LIMIT ${maxRows + 1}`,
    ),
    ctx.replica.all<UsageReport["totals"]>(sql`SELECT ${sums} FROM ${usageDays} n WHERE ${condition}`),
  ]);
  return {
    from: dateOf(first),
    to: dateOf(last),
    totals: totals!,
    rows: rows
      .slice(0, maxRows)
      .map(({ day, ...row }) => ({ ...(day === undefined ? {} : { day: dateOf(day) }), ...row })),
    is_truncated: rows.length > maxRows,
  };
}

/** The first and the last day, both counted. */
function daysOf({ from, to }: Pick<UsageQuery, "from" | "to">, now: number): { first: number; last: number } {
  const last = Math.floor((to ?? now) / secondsOfDay);
  const first = from === undefined ? last - defaultDays + 1 : Math.floor(from / secondsOfDay);
  return { first: Math.min(first, last), last };
}

function dateOf(day: number): string {
  return new Date(day * secondsOfDay * 1000).toISOString().slice(0, 10);
}
