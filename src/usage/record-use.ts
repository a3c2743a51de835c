import type { Context } from "../context.ts";
import { newId } from "../lib/id.ts";
import { directUse } from "./direct-use.ts";
import { noteCall } from "./metrics.ts";
import type { TokenUsage } from "./read-usage.ts";
import type { UsageApi, UsageState } from "./schema.ts";
import { type UseRecord, usageState } from "./usage-state.ts";
import { flushSoon, graceMs } from "./write-use.ts";

/** One finished model call. */
export interface Use {
  api: UsageApi;
  /** As it was asked for, with what is stored of it: a `ResolvedModel` will do. */
  model: { id: string; stored?: { baseModelId: string | null } | undefined; isDirect?: boolean };
  /** Undefined and null where no connection answered. */
  connectionId: string | null | undefined;
  /** When the model was asked, epoch milliseconds. */
  startedAt: number;
  /** When the first piece of a stream had come, epoch milliseconds. */
  firstAt?: number | undefined;
  usage: TokenUsage | undefined;
  state: UsageState;
  /** Why it failed. */
  code?: string | undefined;
  /** A further call of a turn that is counted as a request already, such as after tools. Tasks never count as requests. */
  isFurther?: boolean | undefined;
}

/** Longest texts that are kept of what callers and upstreams choose. */
const maxLength = 256;

/**
 * Records the usage of a model for the context's caller. It costs no round trip now and never fails: records are
 * collected in the isolate and written together about 200 ms later, after the response.
 */
export function recordUse(ctx: Context, use: Use): void {
  const state = usageState(ctx);
  const record = toRecord(ctx, use);
  state.waiting.push(record);
  noteCall(ctx.environment, record);
  // Anyone who was to write them may have been put away meanwhile.
  if (Date.now() < state.flushAt + graceMs) return;
  ctx.waitUntil(flushSoon(ctx));
}

function toRecord(ctx: Context, use: Use): UseRecord {
  const user = ctx.actor.kind === "user" ? ctx.actor : undefined;
  const { usage } = use;
  const { model, connectionId } = use.model.isDirect ? { model: { id: directUse }, connectionId: directUse } : use;
  const text = (value: string | null | undefined) => (value ?? "").slice(0, maxLength).toWellFormed();
  return {
    id: newId(),
    at: ctx.now(),
    userId: user?.id ?? "",
    keyId: user?.credential.kind === "api-key" ? user.credential.keyId : "",
    organizationId: user?.organizationId ?? "",
    model: text(model.id),
    baseModel: text(use.model.isDirect ? directUse : (use.model.stored?.baseModelId ?? model.id)),
    connectionId: text(connectionId),
    api: use.api,
    state: use.state,
    code: use.code === undefined ? null : text(use.code),
    input: usage?.input ?? 0,
    cached: usage?.cached ?? 0,
    cacheWrite: usage?.cacheWrite ?? 0,
    output: usage?.output ?? 0,
    reasoning: usage?.reasoning ?? 0,
    total: usage?.total ?? 0,
    isEstimated: usage?.isEstimated === true,
    isProbe: ctx.probe !== undefined,
    isFree: ctx.probe?.isFree === true,
    requests: use.isFurther || use.api === "task" ? 0 : 1,
    durationMs: Math.max(0, Date.now() - use.startedAt),
    firstMs: use.firstAt === undefined ? null : Math.max(0, use.firstAt - use.startedAt),
  };
}
