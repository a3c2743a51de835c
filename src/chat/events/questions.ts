import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Answer } from "../../events/answers.ts";
import type { LiveEvent } from "../../shared/live-protocol.ts";

/** The caller's open questions, in the format of the live socket. */
export async function listQuestions(ctx: Context): Promise<LiveEvent[]> {
  return ctx.live.listQuestions(requireUser(ctx).id);
}

/**
 * Answers a question to the caller.
 * @throws AppError `not_found` for one that is not open or not the caller's; `validation_failed` for an answer of the
 *   wrong type
 */
export async function answerQuestion(ctx: Context, questionId: string, answer: Answer): Promise<void> {
  const answered = await ctx.live.answer(requireUser(ctx).id, questionId, answer);
  if (answered === "unknown") throw new AppError("not_found", "No such question, or it has already been answered");
  if (answered === "unfit")
    throw new AppError(
      "validation_failed",
      "value: expected true or false for a confirmation, text or false for an input",
      { param: "value" },
    );
}
