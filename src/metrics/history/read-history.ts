import { sql } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { History, HistorySpan } from "./schema.ts";
import { figureHistory } from "./tables.ts";

/** Of which rows a plot is made, and how many seconds a point of it stands for. */
const plots: Record<HistorySpan, { span: number; step: number; seconds: number }> = {
  hour: { span: 60, step: 120, seconds: 3600 },
  day: { span: 60, step: 1800, seconds: 86_400 },
  week: { span: 3600, step: 3 * 3600, seconds: 7 * 86_400 },
};

type Figures = NonNullable<History["points"][number]["figures"]>;

/** How the service did in the last hour, day or week. @throws AppError `forbidden` for others than system administrators */
export async function readHistory(ctx: Context, wanted: HistorySpan): Promise<History> {
  requireAdmin(ctx);
  const { span, step, seconds } = plots[wanted];
  const end = ctx.now() - (ctx.now() % step) + step;
  const begin = end - seconds;
  const rows = await ctx.db.all<
    Figures & { slot: number }
  >(sql`SELECT CAST(${figureHistory.at} / ${step} AS INTEGER) AS slot,
    sum(requests) AS requests, sum(errors) AS errors, CAST(round(sum(first_byte_ms) * 1.0 / nullif(sum(first_bytes), 0)) AS INTEGER) AS first_byte_ms,
    sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out, max(jobs) AS jobs, max(people) AS people,
    max(disk_used) AS disk_used, max(disk_size) AS disk_size
    FROM ${figureHistory} WHERE span = ${span} AND ${figureHistory.at} >= ${begin} GROUP BY slot`);
  const bySlot = new Map(rows.map(({ slot, ...figures }) => [slot, figures]));
  const points = Array.from({ length: seconds / step }, (_, index) => {
    const at = begin + index * step;
    return { at, figures: bySlot.get(at / step) ?? null };
  });
  return { kept: ctx.machine !== undefined, step, points };
}
