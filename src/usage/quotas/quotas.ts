import { and, eq, sql } from "drizzle-orm";
import { requireManager } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation } from "../../db/database-error.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { stillManages } from "../../people/still-manages.ts";
import { countPast } from "./count-past.ts";
import { mayChange, ownerOf, selectQuotas, subjectExists, toQuota, unknownQuota } from "./quota-rows.ts";
import type { Quota, QuotaChange, QuotaInput } from "./schema.ts";
import { quotas } from "./tables.ts";

/**
 * All quotas for system administrators; for an organization's administrators their own, and those of the whole service
 * that apply to all of their people.
 */
export async function listQuotas(ctx: Context): Promise<Quota[]> {
  const user = requireManager(ctx);
  const seen = sql`(${mayChange(user)} OR (${quotas.organizationId} = '' AND (${quotas.scope} = 'everyone'
    OR (${quotas.scope} = 'organization' AND ${quotas.subjectId} = ${user.organizationId}))))`;
  return (await selectQuotas(ctx, seen)).map(toQuota);
}

/**
 * Creates a quota; usage in the current window counts.
 * @throws AppError `forbidden`; `validation_failed` for a subject that does not exist for the caller; `conflict` if it
 *   already exists
 */
export async function createQuota(ctx: Context, input: QuotaInput): Promise<Quota> {
  const user = requireManager(ctx);
  const { scope, unit, period, amount } = input;
  if (scope === "everyone" && user.role !== "admin")
    throw new AppError("forbidden", "Only a system administrator can set a quota for everyone");
  const id = newId();
  const now = ctx.now();
  const subjectId = input.subject_id ?? "";
  const isShared = input.is_shared && scope !== "person" && scope !== "key";
  const model = input.model ?? "";
  const values = { scope, subjectId, isShared, model, unit, period, amount, organizationId: ownerOf(user) };
  try {
    const [, , , [row], [state]] = await ctx.db.batch([
      insertWhere(
        ctx.db,
        quotas,
        { id, ...values, createdAt: now, updatedAt: now },
        sql`${stillManages(user)} AND ${subjectExists(user, scope, subjectId)}`,
      ),
      auditRowIf(ctx, {
        action: "quota.created",
        targetType: "quota",
        targetId: id,
        organizationId: values.organizationId || null,
        detail: {
          scope,
          subject_id: subjectId || null,
          is_shared: isShared,
          model: model || null,
          unit,
          period,
          amount,
        },
      }),
      ctx.db.run(countPast(id, period, now)),
      selectQuotas(ctx, eq(quotas.id, id)),
      ctx.db.all<{ may: number }>(sql`SELECT ${stillManages(user)} AS may`),
    ]);
    if (row) return toQuota(row);
    if (!state!.may) throw new AppError("forbidden", "Only an administrator can do this");
    throw new AppError("validation_failed", `subject_id: no such ${scope}`, {
      param: "subject_id",
      issues: [{ path: "subject_id", message: `No such ${scope}` }],
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", "This quota already exists: change its amount", { cause: error });
  }
}

/**
 * Changes the amount.
 * @throws AppError `forbidden`; `not_found`, also for one that the caller may not change
 */
export async function changeQuota(ctx: Context, id: string, { amount }: QuotaChange): Promise<Quota> {
  const user = requireManager(ctx);
  const now = ctx.now();
  const mine = sql`${quotas.id} = ${id} AND ${mayChange(user)} AND ${stillManages(user)}`;
  const [[before]] = await ctx.db.batch([
    ctx.db
      .select({ scope: quotas.scope, subjectId: quotas.subjectId, period: quotas.period, amount: quotas.amount })
      .from(quotas)
      .where(eq(quotas.id, id)),
  ]);
  if (!before) throw unknownQuota();
  const [, , , [row]] = await ctx.db.batch([
    ctx.db.update(quotas).set({ amount, updatedAt: now }).where(mine),
    auditRowIf(ctx, {
      action: "quota.updated",
      targetType: "quota",
      targetId: id,
      organizationId: ownerOf(user) || null,
      detail: {
        scope: before.scope,
        subject_id: before.subjectId || null,
        amount: { from: before.amount, to: amount },
      },
    }),
    // Nothing was counted while there was no limit.
    ctx.db.run(countPast(id, before.period, now)),
    selectQuotas(ctx, and(eq(quotas.id, id), mayChange(user))),
  ]);
  if (!row) throw unknownQuota();
  return toQuota(row);
}

/** @throws AppError `forbidden`; `not_found`, also for one that the caller may not delete */
export async function deleteQuota(ctx: Context, id: string): Promise<void> {
  const user = requireManager(ctx);
  const mine = sql`${quotas.id} = ${id} AND ${mayChange(user)} AND ${stillManages(user)}`;
  const detail = sql`(SELECT json_object('scope', scope, 'subject_id', subject_id, 'model', model, 'unit', unit, 'period', period,
    'amount', amount) FROM ${quotas} WHERE id = ${id})`;
  const [, { rowsAffected }] = await ctx.db.batch([
    auditRowIf(
      ctx,
      { action: "quota.deleted", targetType: "quota", targetId: id, organizationId: ownerOf(user) || null, detail },
      sql`EXISTS (SELECT 1 FROM ${quotas} WHERE ${mine})`,
    ),
    ctx.db.delete(quotas).where(mine),
  ]);
  if (rowsAffected === 0) throw unknownQuota();
}
