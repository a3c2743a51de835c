import { and, desc, eq, sql } from "drizzle-orm";
import { requireSession } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { auditEvents } from "../../audit/tables.ts";
import type { SignInList } from "./schema.ts";

const kinds = {
  "auth.signed_in": "signed_in",
  "sso.signed_in": "signed_in",
  "auth.signed_out": "signed_out",
  "sso.signed_out": "signed_out",
  "auth.sign_in_failed": "failed",
} as const;
const maxShown = 20;

/** The caller's latest sign-ins, right and wrong, and sign-outs, newest first: as the audit log has them. */
export async function listSignIns(ctx: Context): Promise<SignInList> {
  const user = requireSession(ctx);
  const actions = JSON.stringify(Object.keys(kinds));
  const text = (name: string) => sql<string | null>`${auditEvents.detail} ->> ${name}`;
  const rows = await ctx.db
    .select({
      id: auditEvents.id,
      at: auditEvents.at,
      action: sql<keyof typeof kinds>`${auditEvents.action}`,
      attempts: sql<number>`coalesce(${auditEvents.detail} ->> 'attempts', 1)`,
      address: text("address"),
      userAgent: text("user_agent"),
    })
    .from(auditEvents)
    // The index of the target is in this order; what else happened to a person is little.
    .where(
      and(eq(auditEvents.targetId, user.id), sql`+${auditEvents.action} IN (SELECT value FROM json_each(${actions}))`),
    )
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(maxShown);
  return {
    sign_ins: rows.map(({ action, userAgent, ...row }) => ({
      ...row,
      kind: kinds[action],
      user_agent: userAgent ?? "",
    })),
  };
}
