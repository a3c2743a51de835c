import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Answer } from "../../events/questions.ts";
import type { LiveEvent } from "../../shared/live-protocol.ts";

/** The caller's questions that wait, as the live socket tells them. */
export async function listCalls(ctx: Context): Promise<LiveEvent[]> {
  return ctx.live.listCalls(requireUser(ctx).id);
}

/**
 * Answers a question of the caller's.
 * @throws AppError `not_found` for one that does not wait, or is not the caller's; `validation_failed` for an answer of another
 *   kind than the question wants
 */
export async function answerCall(ctx: Context, callId: string, answer: Answer): Promise<void> {
  const answered = await ctx.live.answer(requireUser(ctx).id, callId, answer);
  if (answered === "unknown") throw new AppError("not_found", "There is no such question, or it is answered already");
  if (answered === "unfit")
    throw new AppError(
      "validation_failed",
      "value: a confirmation is answered with true or false, an input with text or false",
      { param: "value" },
    );
}
