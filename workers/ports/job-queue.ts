import type { JobKind } from "../../src/jobs/tables.ts";
import { consoleLog } from "../../src/lib/log.ts";
import type { JobQueue } from "../../src/ports.ts";
import type { Env } from "../env.ts";

/** What a queue message says. */
export interface WakeMessage {
  kind: JobKind;
}

/** A queue holds a message back for 12 hours at most, in seconds; what is due later is found by the sweeper. */
const maxDelaySeconds = 12 * 3600;

/**
 * Reading documents is a queue of its own, and so is telling others; embedding and what else waits for others most of the time
 * do not wait for them.
 */
export function createJobQueue(env: Pick<Env, "EXTRACT_QUEUE" | "EMBED_QUEUE" | "WEBHOOK_QUEUE">): JobQueue {
  return {
    async wake(kind, delay = 0) {
      const queue = kind === "extract" ? env.EXTRACT_QUEUE : kind === "deliver" ? env.WEBHOOK_QUEUE : env.EMBED_QUEUE;
      try {
        // Queues count in whole seconds.
        await queue.send(
          { kind } satisfies WakeMessage,
          delay > 0 ? { delaySeconds: Math.min(Math.ceil(delay), maxDelaySeconds) } : {},
        );
      } catch (error) {
        consoleLog.warn("could not send work to a queue", { kind, error });
      }
    },
  };
}
