import { heldCredential, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { AppError } from "../../errors.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { typeOfStatus } from "./render-error.ts";

/**
 * Answers that take no longer are not worth a call, which would cost a short stream a quarter of all that it takes: their
 * caller was let in a moment ago. Milliseconds. A change of rights waits for streams that are younger (`LiveSessions.recheck`).
 */
const worthACall = { stream: 50, whole: 1000 };

/** What the caller's right to an answer comes to while it is made. */
export interface FollowedRights {
  /** Fires when the answer must not go on; the reason is an UpstreamError in the words of the refusal. */
  readonly signal: AbortSignal;
  /** Why it must not. */
  readonly refusal: AppError | undefined;
  /** To be called when the answer is over. */
  end(): void;
}

/**
 * Follows the caller's right to an answer of the model until it is over: a stream, which must end at its next event, from
 * almost its beginning, a whole answer only when it takes its time.
 * @param since when the request was let in, epoch milliseconds
 */
export function followRights(ctx: Context, model: string, options: { stream: boolean; since: number }): FollowedRights {
  const credential = heldCredential(requireUser(ctx));
  const controller = new AbortController();
  let refusal: AppError | undefined;
  let following: { end(): void } | undefined;
  const begin = (): void => {
    following = ctx.live.follow({ credential, model, since: options.since }, (why) => {
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
  const timer = setTimeout(begin, Math.max(0, (options.stream ? worthACall.stream : worthACall.whole) - passed));
  return {
    signal: controller.signal,
    get refusal() {
      return refusal;
    },
    end() {
      clearTimeout(timer);
      following?.end();
    },
  };
}
