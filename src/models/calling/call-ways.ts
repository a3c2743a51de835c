import { pause } from "../../lib/pause.ts";
import { attempt, type CallContext, type CallOptions, type Try, type Way } from "./call-attempt.ts";
import { callsOf, newCallNumber } from "./connection-calls.ts";
import type { Verdict } from "./judge-failure.ts";
import { type Place, takePlace } from "./take-place.ts";

/** Maximum number of connections tried for one call. */
const maxWays = 5;
/** Pauses before further attempts over one connection, milliseconds; up to twice as long at random. */
const backOffMs = [250, 500, 1000, 2000];

/**
 * Makes a call over the first connection that accepts it, each according to its policy. The first one's policy decides
 * whether others are tried. Failures are recorded for administrators.
 * @returns the provider's own answer with any status; a successful one when its first byte has arrived
 * @throws UpstreamError if there is no answer or no capacity; AppError as `ask` does; the signal's reason
 */
export async function callWays(
  ctx: CallContext,
  ways: readonly [Way, ...Way[]],
  options: CallOptions,
): Promise<Response> {
  const { signal } = options;
  const call = newCallNumber(ctx);
  const tries = usedWays(ways, options).map((way): Try => {
    const { policy } = way.connection;
    return {
      way,
      policy,
      calls: callsOf(ctx, way.connection),
      left: options.idempotent ? policy.attempts : 1,
      made: 0,
      readyAt: 0,
    };
  });
  let failure: { order: number; finish: () => Response } | undefined;
  for (;;) {
    const open = tries.filter(({ left }) => left > 0);
    if (failure && open.length === 0) return failure.finish();
    const readyAt = Math.min(...open.map((each) => each.readyAt));
    if (readyAt > Date.now()) await pause(readyAt - Date.now(), signal);
    const ready = open.filter((each) => each.readyAt <= readyAt);
    let place: Place<Try>;
    try {
      place = await takePlace(call, ready, signal, ctx.timers);
    } catch (error) {
      if (!failure || signal.aborted) throw error;
      for (const each of ready) each.left = 0;
      continue;
    }
    const result = await attempt(ctx, call, place, options);
    if (result instanceof Response) return result;
    const order = tries.indexOf(place.line);
    // Of several failures that of the connection whose model it is first says most.
    if (!failure || order <= failure.order) failure = { order, finish: result.finish };
    if (result.verdict.again === "never") return result.finish();
    plan(place.line, result.verdict, Date.now());
  }
}

function usedWays(ways: readonly [Way, ...Way[]], { idempotent }: CallOptions): readonly Way[] {
  return idempotent && ways[0].connection.policy.fail_over ? ways.slice(0, maxWays) : ways.slice(0, 1);
}

/** When the connection is retried, if at all. */
function plan(line: Try, { again, waitMs }: Verdict, now: number): void {
  const backOff = backOffMs[Math.min(line.made, backOffMs.length - 1)]!;
  const wait = waitMs ?? backOff * (1 + Math.random());
  line.made++;
  line.left--;
  line.readyAt = now + wait;
  if (again === "elsewhere" || wait > Math.max(line.policy.max_retry_wait * 1000, backOff * 2)) line.left = 0;
}
