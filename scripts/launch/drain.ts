import { setTimeout as wait } from "node:timers/promises";
import type { Front } from "./front/front.ts";
import { complain, say } from "./say.ts";
import { StartError } from "./start-error.ts";

const intervalMs = 300;
/** Between two rounds of tools a turn has no call open for a moment. */
const quietRounds = 2;

/**
 * Before a stop: takes no more callers, and waits until the answers that are being written have ended.
 * @param address of the service behind the front
 * @param ring its keys, as JSON text
 */
export async function drain(front: Front | undefined, address: string, ring: string, timeoutMs: number): Promise<void> {
  front?.stopListening();
  // Only now: what signs takes memory that the launcher would keep.
  const { connectService } = await import("../admin/running-service.ts");
  const service = connectService(address, ring);
  const deadline = performance.now() + timeoutMs;
  let open = 0;
  try {
    for (let quiet = 0, isFirst = true; quiet < quietRounds && performance.now() < deadline; isFirst = false) {
      ({ model_calls: open } = await service.get<{ model_calls: number }>("work"));
      // Nothing to wait for: the usual case.
      if (isFirst && open === 0) return;
      if (isFirst) say(`Waiting for ${countOf(open)}, at most ${timeoutMs / 1000} s ...`);
      quiet = open === 0 ? quiet + 1 : 0;
      await wait(intervalMs);
    }
    if (open > 0) complain(`Interrupting ${countOf(open)}.`, "warn");
  } catch (error) {
    // The service does not answer: there is nothing to wait for.
    if (!(error instanceof StartError)) throw error;
  }
}

const countOf = (open: number) => (open === 1 ? "an answer" : `${open} answers`);
