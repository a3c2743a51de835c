import { heldCredential, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { AppError } from "../../errors.ts";
import { typeOfStatus } from "../../http/render-openai-error.ts";
import { StopController, type StopSignal } from "../../lib/stop-signal.ts";
import { realTimers } from "../../lib/timers.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";

/**
 * Answers shorter than this are not checked again: the check would cost a quarter of a short stream, and the caller has
 * just been authorized. Milliseconds. A change of permissions waits for younger streams (`LiveSessions.recheck`).
 */
const worthACallMs = { stream: 50, whole: 1000 };

/** The caller's permission for an answer while it is written. */
export interface FollowedRights {
  /** Fires when the answer must stop; the reason is an UpstreamError with the text of the refusal. */
  readonly signal: StopSignal;
  /** Why it must stop. */
  refusal(): AppError | undefined;
  /** Call it when the answer has ended. */
  end(): void;
}

/**
 * Follows the caller's permission for an answer until it ends: a stream from almost its beginning (it must stop at the
 * next event), a complete answer only if it takes long.
 * @param since when the request was accepted, epoch milliseconds
 */
export function followRights(ctx: Context, model: string, options: { stream: boolean; since: number }): FollowedRights {
  const credential = heldCredential(requireUser(ctx));
  const controller = new StopController();
  let refusal: AppError | undefined;
  let following: { end(): void } | undefined;
  const begin = (): void => {
    following = ctx.live.followRights({ credential, model, since: options.since }, (why) => {
      refusal = why;
      controller.abort(
        new UpstreamError(why.status, why.message, {
          type: typeOfStatus(why.status),
          code: why.code,
          param: why.param,
        }),
      );
    });
  };
  const passed = Date.now() - options.since;
  const timers = ctx.timers ?? realTimers;
  const waitMs = (options.stream ? worthACallMs.stream : worthACallMs.whole) - passed;
  const timer = timers.set(begin, Math.max(0, waitMs));
  return {
    signal: controller.signal,
    refusal() {
      return refusal;
    },
    end() {
      timers.clear(timer);
      following?.end();
    },
  };
}
