import { sql, type SQL } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import type { LegalHold, NewLegalHold } from "./schema.ts";

/** All legal holds, the newest first. @throws AppError `forbidden` */
export async function listHolds(ctx: Context): Promise<LegalHold[]> {
  requireAdmin(ctx);
  return selectHolds(ctx, sql`TRUE`);
}

function selectHolds({ db }: Context, which: SQL) {
  return db.all<LegalHold>(sql`
    SELECT h.id, h.kind, h.target_id, h.reason, h.created_by, h.created_at,
      CASE h.kind WHEN 'person' THEN (SELECT u.name FROM users u WHERE u.id = h.target_id)
        ELSE (SELECT o.name FROM organizations o WHERE o.id = h.target_id) END AS target_name,
      (SELECT u.name FROM users u WHERE u.id = h.created_by) AS created_by_name
    FROM legal_holds h WHERE ${which} ORDER BY h.created_at DESC, h.id DESC`);
}

/**
 * Keeps everything of a person, or of the people of an organization, until the hold is lifted.
 * @throws AppError `forbidden`; `not_found`; `conflict` where there is a hold already
 */
export async function placeHold(ctx: Context, { kind, target_id: targetId, reason }: NewLegalHold): Promise<LegalHold> {
  const user = requireAdmin(ctx);
  const id = newId();
  const table = sql.raw(kind === "person" ? "users" : "organizations");
  const home = kind === "person" ? sql`(SELECT organization_id FROM users WHERE id = ${targetId})` : targetId;
  const [[state]] = await ctx.db.batch([
    ctx.db.all<{ known: number; held: number }>(sql`
      SELECT EXISTS (SELECT 1 FROM ${table} WHERE id = ${targetId}) AS known,
        EXISTS (SELECT 1 FROM legal_holds WHERE target_id = ${targetId}) AS held`),
    ctx.db.run(sql`INSERT INTO legal_holds (id, kind, target_id, reason, created_by, created_at)
      SELECT ${id}, ${kind}, ${targetId}, ${reason}, ${user.id}, ${ctx.now()}
      WHERE EXISTS (SELECT 1 FROM ${table} WHERE id = ${targetId}) ON CONFLICT (target_id) DO NOTHING`),
    auditRowIf(ctx, {
      action: "legal_hold.placed",
      targetType: kind === "person" ? "user" : "organization",
      targetId,
      organizationId: home,
      detail: { reason },
    }),
  ]);
  if (!state!.known) throw new AppError("not_found", kind === "person" ? "No such person" : "No such organization");
  if (state!.held) throw new AppError("conflict", "There is a legal hold already: lift it first to change the reason");
  return (await selectHolds(ctx, sql`h.id = ${id}`))[0]!;
}

/** @throws AppError `forbidden`, `not_found` */
export async function liftHold(ctx: Context, id: string): Promise<void> {
  requireAdmin(ctx);
  const [hold] = await selectHolds(ctx, sql`h.id = ${id}`);
  if (!hold) throw new AppError("not_found", "No such legal hold");
  const { kind, target_id: targetId, reason } = hold;
  await ctx.db.batch([
    ctx.db.run(sql`DELETE FROM legal_holds WHERE id = ${id}`),
    auditRowIf(ctx, {
      action: "legal_hold.lifted",
      targetType: kind === "person" ? "user" : "organization",
      targetId,
      organizationId: kind === "person" ? sql`(SELECT organization_id FROM users WHERE id = ${targetId})` : targetId,
      detail: { reason },
    }),
  ]);
}
