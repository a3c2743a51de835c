import type { Services } from "../context.ts";
import { interruptedEvent, interruptSilent } from "./conversations/interrupt-answer.ts";

/**
 * Ends the answers whose runs have died (a killed process, a lost isolate) and tells the tabs. For the timer.
 * @returns how many there were.
 */
export async function sweepAnswers(services: Services): Promise<number> {
  const interrupted = await interruptSilent(services);
  await Promise.all(interrupted.map((answer) => services.live.publish(answer.userId, interruptedEvent(answer))));
  return interrupted.length;
}
