import type { Services } from "../context.ts";
import type { LiveEvent } from "../shared/live-protocol.ts";
import { interruptSilent, type InterruptedAnswer } from "./conversations/write-answer.ts";

/**
 * Ends the answers whose runs are gone without a word (a process that was killed, an API call whose isolate went away)
 * and tells the tabs. For the timer; @returns how many there were.
 */
export async function sweepAnswers(services: Services): Promise<number> {
  const interrupted = await interruptSilent(services);
  await Promise.all(interrupted.map((answer) => services.live.publish(answer.userId, interruptedEvent(answer))));
  return interrupted.length;
}

/** What tabs are told of an answer that nobody writes any more. */
export function interruptedEvent(answer: InterruptedAnswer): LiveEvent {
  const { chatId, messageId, runId, content, reasoning } = answer;
  const data = { done: true, state: "interrupted", content, reasoning, finish_reason: null };
  return { chat_id: chatId, message_id: messageId, run_id: runId, data: { type: "chat:completion", data } };
}
