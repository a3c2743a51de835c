import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { applicableLimits } from "./applicable-limits.ts";
import { readLimits } from "./counters.ts";
import { loadQuotas } from "./load-quotas.ts";
import type { QuotaLeft } from "./schema.ts";

/** The limits of the caller, and what is left of them; of keys only for the current one. */
export async function quotasLeft(ctx: Context): Promise<QuotaLeft[]> {
  const user = requireUser(ctx);
  const limits = applicableLimits(await loadQuotas(ctx), user);
  if (limits.length === 0) return [];
  const states = await readLimits(ctx, limits, { take: false, groupIds: user.groupIds });
  return states.map(({ kind, name, model, unit, period, amount, used, end }) => ({
    counts: kind === "person" || kind === "key" ? kind : "shared",
    name,
    model: model || null,
    unit,
    period,
    amount,
    used,
    left: Math.max(0, amount - used),
    resets_at: end,
  }));
}
