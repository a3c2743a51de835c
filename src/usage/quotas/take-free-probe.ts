import type { Context } from "../../context.ts";
import { readLimits } from "./counters.ts";

/** What the request of a free probe may be at most: characters of its JSON, and tokens that it lets the model write. */
const maxLength = 4000;
const maxTokens = 1024;

/**
 * Whether this call counts in no quota: a small probe of a service account, as often in an hour as an administrator allows. The count
 * is taken in the statement that reads it; all other probes count like every call. Costs nothing unless the caller says that it is a
 * probe and may have free ones, otherwise one round trip.
 * @param request as it was sent
 */
export async function takeFreeProbe(ctx: Context, request: Record<string, unknown> | undefined): Promise<boolean> {
  const { actor, probe } = ctx;
  if (!probe || actor.kind !== "user" || actor.accountKind !== "service" || actor.freeProbes === 0) return false;
  if (request === undefined || !isSmall(request)) return false;
  const limit = { subjectId: actor.id, model: "", unit: "requests", period: "hour", amount: actor.freeProbes } as const;
  const [state] = await readLimits(ctx, [{ ...limit, kind: "probe", name: null }], { take: true, groupIds: [] });
  probe.isFree = state!.used < actor.freeProbes;
  return probe.isFree;
}

function isSmall(request: Record<string, unknown>): boolean {
  const asked = request["max_completion_tokens"] ?? request["max_tokens"];
  return typeof asked === "number" && asked <= maxTokens && JSON.stringify(request).length <= maxLength;
}
