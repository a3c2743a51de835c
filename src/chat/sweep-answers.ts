import type { Services } from "../context.ts";
import type { LiveEvent } from "../shared/live-protocol.ts";
import { interruptSilent, type InterruptedAnswer } from "./conversations/write-answer.ts";

/**
 * Ends the answers whose runs have died (a killed process, a lost isolate) and tells the tabs. For the timer.
 * @returns how many there were.
 */
export async function sweepAnswers(services: Services): Promise<number> {
  const interrupted = await interruptSilent(services);
  await Promise.all(interrupted.map((answer) => services.live.publish(answer.userId, interruptedEvent(answer))));
  return interrupted.length;
}

/** What tabs are told about an answer whose run has died. */
export function interruptedEvent(answer: InterruptedAnswer): LiveEvent {
  const { chatId, messageId, runId, content, reasoning } = answer;
  const data = { done: true, state: "interrupted", content, reasoning, finish_reason: null };
  return { chat_id: chatId, message_id: messageId, run_id: runId, data: { type: "chat:completion", data } };
}
