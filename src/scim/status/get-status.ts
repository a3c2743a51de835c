import { sql } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { scimBase } from "../paths.ts";
import { providerProblem } from "../provider.ts";
import type { ScimStatus } from "../schema.ts";
import { scimWarnings } from "./warnings.ts";

/** Of a long token its end tells which one it is; a short one would be given away. */
const hintedFrom = 16;

/** The configuration of provisioning and its last use, for administrators; what it did is in the audit log. */
export async function getScimStatus(ctx: Context): Promise<ScimStatus> {
  requireAdmin(ctx);
  const { settings } = ctx;
  const tokens = (["SCIM_TOKEN", "SCIM_TOKEN_PREVIOUS"] as const).flatMap((variable) => {
    const token = settings[variable];
    return token ? [{ variable, hint: token.length >= hintedFrom ? `…${token.slice(-4)}` : "…" }] : [];
  });
  const [counted] = await ctx.db.all<{ users: number; groups: number; last: number | null }>(
    sql`SELECT (SELECT count(*) FROM users WHERE kind = 'person') AS users, (SELECT count(*) FROM groups) AS groups,
      (SELECT at FROM audit_events WHERE actor_kind = 'scim' ORDER BY id DESC LIMIT 1) AS last`,
  );
  return {
    enabled: settings.SCIM_ENABLED,
    base_url: `${ctx.origin}${scimBase}`,
    provider: settings.SCIM_AUTH_PROVIDER || null,
    provider_problem: providerProblem(settings),
    tokens,
    ip_allowlist: [...settings.SCIM_IP_ALLOWLIST],
    warnings: scimWarnings(ctx.environment),
    users: counted!.users,
    groups: counted!.groups,
    last_request_at: counted!.last,
  };
}
