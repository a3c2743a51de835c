import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { applicableLimits } from "./applicable-limits.ts";
import { type LimitState, readLimits } from "./counters.ts";
import { loadQuotas } from "./load-quotas.ts";
import { windowAt } from "./windows.ts";

/** A model as quotas know it: what is limited for a model holds for those made of it. */
export interface AskedModel {
  id: string;
  stored?: { baseModelId: string | null } | undefined;
}

/**
 * Lets a turn pass and counts it, or refuses it: to be called once for each request, before any model is asked. Costs nothing where
 * no quota is for the caller and the model, and one round trip otherwise. Tokens are known when an answer is over: what is under way when a
 * limit is reached is finished.
 * @param options `isFurther`: a call inside a turn that has been counted; only tokens are looked at
 * @throws AppError `quota_exceeded` (429) with the seconds until the next window
 */
export async function requireQuota(
  ctx: Context,
  model: AskedModel,
  { isFurther = false }: { isFurther?: boolean } = {},
): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "user" || ctx.quotaStamp === 0) return;
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
