import type { Context } from "../context.ts";
import { defaultBudgetMs, fingerprintOf } from "../models/catalog/look-up-list.ts";
import type { Connection } from "../models/connections/connection.ts";
import { headersOf } from "../models/drivers/fetch-list.ts";

/** Seconds until a runtime is looked at again: it may have been renewed. */
const knownSeconds = 600;
const maxKnown = 1000;

interface Known {
  lacks: boolean;
  /** Epoch seconds. */
  at: number;
}

/** By environment, as all that an isolate remembers; then by runtime and path. */
const states = new WeakMap<Context["environment"], Map<string, Known>>();

/**
 * Whether the runtime has no such call. Asked with an empty object, which whoever knows the call refuses by another status and no model
 * sees; once in a while for each runtime. One that does not answer has it, as far as anybody knows.
 */
export async function lacksCall(ctx: Context, runtime: Connection, path: string): Promise<boolean> {
  let state = states.get(ctx.environment);
  if (!state) states.set(ctx.environment, (state = new Map()));
  const key = `${path} ${runtime.id} ${fingerprintOf(runtime)}`;
  const known = state.get(key);
  if (known && ctx.now() - known.at <= knownSeconds) return known.lacks;
  const status = await probe(ctx, runtime, path);
  if (status === undefined) return false;
  const lacks = status === 404 || status === 405 || status === 501;
  state.delete(key);
  state.set(key, { lacks, at: ctx.now() });
  const [oldest] = state.keys();
  if (state.size > maxKnown && oldest !== undefined) state.delete(oldest);
  return lacks;
}

async function probe(ctx: Context, runtime: Connection, path: string): Promise<number | undefined> {
  try {
    const response = await ctx.outbound.trusted(`${runtime.baseUrl}${path}`, {
      method: "POST",
      headers: headersOf(runtime, { "content-type": "application/json", accept: "application/json" }),
      body: "{}",
      redirect: "manual",
      signal: AbortSignal.timeout(defaultBudgetMs),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
