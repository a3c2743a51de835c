import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { directUse } from "../../usage/direct-use.ts";
import { usageRecords } from "../../usage/tables.ts";
import { loadSnapshot } from "./catalog-snapshot.ts";
import { mayUse } from "./visibility.ts";

/** People and models count as active for this many seconds. */
const windowSeconds = 180;

/**
 * How many people are active, and which models that the caller may use are in use: in the whole service for system
 * administrators, in their organization for everyone else. As in Open WebUI.
 * @throws AppError `forbidden` if only administrators may know
 */
export async function usageNow(ctx: Context): Promise<{ model_ids: string[]; user_count: number }> {
  const user = requireUser(ctx);
  if (user.role !== "admin" && !ctx.settings.ENABLE_PUBLIC_ACTIVE_USERS_COUNT)
    throw new AppError("forbidden", "Only administrators can see this: ENABLE_PUBLIC_ACTIVE_USERS_COUNT is off");
  const since = ctx.now() - windowSeconds;
  const inside = user.role === "admin" ? sql`true` : sql`organization_id = ${user.organizationId}`;
  const [models, [people]] = await ctx.db.batch([
    ctx.db.all<{ model: string }>(
      sql`SELECT DISTINCT model FROM ${usageRecords} WHERE at > ${since} AND ${inside} AND connection_id <> ${directUse} ORDER BY model LIMIT 200`,
    ),
    ctx.db.all<{ count: number }>(
      sql`SELECT count(*) AS count FROM users WHERE last_active_at > ${since} AND active = 1 AND kind = 'person' AND role <> 'pending' AND ${inside}`,
    ),
  ]);
  const scope = { snapshot: await loadSnapshot(ctx), settings: ctx.settings, viewer: user };
  return {
    model_ids: models.map(({ model }) => model).filter((id) => mayUse(scope, id)),
    user_count: people!.count,
  };
}
