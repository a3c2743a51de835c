import { eq, getTableColumns, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { stamps } from "../../db/tables.ts";
import { usageState } from "../usage-state.ts";
import type { QuotaRow } from "./applicable-limits.ts";
import { quotas } from "./tables.ts";

/** The subject's name of today, by primary key. */
export const subjectName = sql<string | null>`CASE ${quotas.scope}
  WHEN 'person' THEN (SELECT u.name FROM users u WHERE u.id = ${quotas.subjectId})
  WHEN 'group' THEN (SELECT g.name FROM groups g WHERE g.id = ${quotas.subjectId})
  WHEN 'organization' THEN (SELECT o.name FROM organizations o WHERE o.id = ${quotas.subjectId})
  WHEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.id = ${quotas.subjectId}) END`;

/** All quotas. No round trip while the stamp of this request is 0 (there never were any) or that of the copy in memory, else one. */
export async function loadQuotas(
  ctx: Pick<Context, "db" | "environment" | "quotaStamp">,
): Promise<readonly QuotaRow[]> {
  if (ctx.quotaStamp === 0) return [];
  const state = usageState(ctx);
  if (state.quotas?.stamp === ctx.quotaStamp) return state.quotas.rows;
  // The stamp is read in the same transaction: what a later writer changes has a later stamp.
  const [[stamp], rows] = await ctx.db.batch([
    ctx.db.select().from(stamps).where(eq(stamps.name, "quotas")),
    ctx.db
      .select({ ...getTableColumns(quotas), subjectName })
      .from(quotas)
      .orderBy(quotas.createdAt, quotas.id),
  ]);
  state.quotas = { stamp: stamp?.value ?? 0, rows };
  return rows;
}
