import { sql, type SQL } from "drizzle-orm";
import { requireAdmin } from "../access.ts";
import type { Context } from "../context.ts";
import type { FeedbackSummary, SummaryQuery } from "./schema.ts";

const maxModels = 200;
const maxReasons = 5;
const dayLength = 86_400;

interface Counts {
  good: number;
  bad: number;
}

/** How models are rated, and how that changes over time. @throws AppError `forbidden` */
export async function summarizeFeedback(ctx: Context, query: SummaryQuery): Promise<FeedbackSummary> {
  requireAdmin(ctx);
  const { days, model_id: model, organization_id: organization } = query;
  const today = Math.floor(ctx.now() / dayLength);
  const where = sql.join(
    [
      sql`f.created_at >= ${(today - days + 1) * dayLength}`,
      ...(model === undefined ? [] : [sql`f.model_id = ${model}`]),
      ...(organization === undefined ? [] : [sql`f.organization_id = ${organization}`]),
    ],
    sql` AND `,
  );
  const good = sql`sum(f.rating IS 1)`;
  const bad = sql`sum(f.rating IS -1)`;
  const [models, reasons, perDay] = await ctx.replica.batch([
    ctx.replica.all<Counts & { model_id: string; score: number | null }>(sql`
      SELECT f.model_id, ${good} AS good, ${bad} AS bad, avg(f.data ->> '$.details.rating') AS score
      FROM feedback f WHERE f.model_id IS NOT NULL AND ${where} GROUP BY f.model_id ORDER BY count(*) DESC, f.model_id LIMIT ${maxModels}`),
    ctx.replica.all<{ model_id: string; reason: string; count: number }>(reasonsIn(where)),
    ctx.replica.all<Counts & { date: string }>(sql`
      SELECT date(f.created_at, 'unixepoch') AS date, ${good} AS good, ${bad} AS bad
      FROM feedback f WHERE ${where} GROUP BY 1 ORDER BY 1`),
  ]);
  const ofModel = Map.groupBy(reasons, (row) => row.model_id);
  return {
    models: models.map((row) => ({
      ...row,
      score: row.score === null ? null : Math.round(row.score * 10) / 10,
      reasons: (ofModel.get(row.model_id) ?? []).map(({ reason, count }) => ({ reason, count })),
    })),
    days: perDay,
  };
}

/** The reasons of each model that were given most often. */
function reasonsIn(where: SQL): SQL {
  return sql`SELECT model_id, reason, count FROM (
      SELECT f.model_id, f.data ->> '$.reason' AS reason, count(*) AS count,
        row_number() OVER (PARTITION BY f.model_id ORDER BY count(*) DESC, f.data ->> '$.reason') AS place
      FROM feedback f WHERE f.model_id IS NOT NULL AND coalesce(f.data ->> '$.reason', '') <> '' AND ${where} GROUP BY f.model_id, reason)
    WHERE place <= ${maxReasons} ORDER BY model_id, place`;
}
