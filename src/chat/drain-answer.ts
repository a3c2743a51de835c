import type { Reply } from "../upstream/answers/accumulate-reply.ts";
import type { UpstreamAnswer } from "../upstream/answers/read-upstream-answer.ts";

/**
 * Reads an answer to its end when its bytes are not needed, because reading drives it. The reply reports how it ended.
 * @param signal the one that the model was asked with
 */
export async function drainAnswer(answer: UpstreamAnswer, signal: AbortSignal): Promise<Reply> {
  if (answer.kind === "json") return answer.reply;
  const reader = answer.body.getReader();
  try {
    while (!(await reader.read()).done);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return answer.finished;
}
