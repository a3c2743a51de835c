import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { applicableLimits } from "./applicable-limits.ts";
import { type LimitState, readLimits } from "./counters.ts";
import { loadQuotas } from "./load-quotas.ts";
import { takeFreeProbe } from "./take-free-probe.ts";
import { windowAt } from "./windows.ts";

/** A model for quotas: limits of a model also apply to models based on it. */
export interface AskedModel {
  id: string;
  stored?: { baseModelId: string | null } | undefined;
  /** Of the caller's own connections: the caller pays for it, so no quota counts it. */
  isDirect?: boolean;
}

/**
 * Accepts and counts a turn, or rejects it: call it once for each request, before any model is asked. Costs nothing
 * without a quota for the caller and the model, otherwise one round trip. Tokens are known only after an answer, so
 * running answers finish when a limit is reached.
 * @param options `isFurther`: a call inside a counted turn; only tokens are checked. `request`: as it was sent, where it may be a
 *   probe that counts in no quota
 * @throws AppError `quota_exceeded` (429) with the seconds until the next window
 */
export async function requireQuota(
  ctx: Context,
  model: AskedModel,
  { isFurther = false, request }: { isFurther?: boolean; request?: Record<string, unknown> } = {},
): Promise<void> {
  const { actor } = ctx;
  if (await takeFreeProbe(ctx, request)) return;
  if (actor.kind !== "user" || ctx.quotaStamp === 0 || model.isDirect) return;
  const names = new Set(["", model.id, model.stored?.baseModelId]);
  const limits = applicableLimits(await loadQuotas(ctx), actor).filter(
    (limit) => names.has(limit.model) && !(isFurther && limit.unit === "requests"),
  );
  if (limits.length === 0) return;
  // Nothing is left of nothing, whatever was used.
  const none = limits.filter(({ amount }) => amount === 0);
  const states =
    none.length > 0
      ? none.map((limit) => ({ ...limit, ...windowAt(limit.period, ctx.now()), used: 0 }))
      : await readLimits(ctx, limits, { take: !isFurther, groupIds: actor.groupIds });
  const spent = states.filter(({ used, amount }) => used >= amount);
  if (spent.length > 0) throw refusal(spent, ctx.now());
}

/** All of them have to be free again. */
function refusal(spent: readonly LimitState[], now: number): AppError {
  const last = spent.reduce((latest, each) => (each.end > latest.end ? each : latest));
  const { amount, unit, period, model, end } = last;
  const what = `${amount.toLocaleString("en-US")} ${unit} ${period === "day" ? "a day" : `each ${period}`}`;
  const of = model === "" ? "" : ` of the model ${model}`;
  const until = new Date(end * 1000).toISOString().slice(0, 16).replace("T", " ");
  return new AppError("quota_exceeded", `${whose(last)} ${what}${of} is used up. It resets at ${until} UTC`, {
    retryAfter: end - now,
  });
}

function whose({ kind, name }: LimitState): string {
  switch (kind) {
    case "person":
      return "Your limit of";
    case "key":
      return "The limit of this API key of";
    case "everyone":
      return "The limit that everyone shares of";
    default:
      return `The limit that ${name ?? `the ${kind}`} shares of`;
  }
}
