import { eq, sql } from "drizzle-orm";
import { requireAdmin, requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { auditRowIf } from "../people/audit/audit-row.ts";
import { forgetOnMessages } from "./rate-answer.ts";
import { feedback } from "./tables.ts";

/** Takes back all ratings of the caller. @returns whether there were any @throws AppError `legal_hold` */
export async function deleteOwnFeedback(ctx: Context): Promise<boolean> {
  const user = requireUser(ctx);
  const [, deleted] = await ctx.db.batch([
    forgetOnMessages(ctx, sql`SELECT f.* FROM feedback f WHERE f.user_id = ${user.id}`),
    ctx.db.delete(feedback).where(eq(feedback.userId, user.id)).returning({ id: feedback.id }),
    auditRowIf(ctx, {
      action: "feedback.all_deleted",
      targetType: "user",
      targetId: user.id,
      organizationId: user.organizationId,
      detail: sql`json_object('count', changes())`,
    }),
  ]);
  return deleted.length > 0;
}

/** Deletes everyone's. @returns whether there were any @throws AppError `forbidden`, `legal_hold` */
export async function deleteAllFeedback(ctx: Context): Promise<boolean> {
  requireAdmin(ctx);
  const [, deleted] = await ctx.db.batch([
    forgetOnMessages(ctx, sql`SELECT f.* FROM feedback f`),
    ctx.db.run(sql`DELETE FROM feedback`),
    auditRowIf(ctx, {
      action: "feedback.all_deleted",
      targetType: "settings",
      targetId: "feedback",
      organizationId: null,
      detail: sql`json_object('count', changes())`,
    }),
  ]);
  return deleted.rowsAffected > 0;
}
