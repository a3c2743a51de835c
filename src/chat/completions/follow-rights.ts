import { heldCredential, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { AppError } from "../../errors.ts";
import { typeOfStatus } from "./render-error.ts";
import { UpstreamError } from "./upstream-error.ts";

/** A whole answer that takes no longer is not worth a call: its caller was let in a moment ago. Milliseconds. */
const worthACall = 1000;

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
 * Follows the caller's right to an answer of the model until it is over: a stream from its beginning, because it must end
 * at its next event, a whole answer only when it takes its time.
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
  const timer = options.stream ? undefined : setTimeout(begin, worthACall);
  if (options.stream) begin();
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
