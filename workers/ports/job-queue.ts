import type { JobKind } from "../../src/jobs/tables.ts";
import { consoleLog } from "../../src/lib/log.ts";
import type { JobQueue } from "../../src/ports.ts";
import type { Env } from "../env.ts";

/** The content of a queue message. */
export interface WakeMessage {
  kind: JobKind;
}

/** A queue holds a message back for 12 hours at most, in seconds; what is due later is found by the sweeper. */
const maxDelaySeconds = 12 * 3600;

/**
 * Separate queues for reading documents, for notifications, and for embedding and other work that mostly waits, so that
 * they do not delay one another.
 */
export function createJobQueue(env: Pick<Env, "EXTRACT_QUEUE" | "EMBED_QUEUE" | "WEBHOOK_QUEUE">): JobQueue {
  return {
    async wake(kind, delaySeconds = 0) {
      const isNotice = kind === "deliver" || kind === "mail";
      const queue = kind === "extract" ? env.EXTRACT_QUEUE : isNotice ? env.WEBHOOK_QUEUE : env.EMBED_QUEUE;
      try {
        // Queues count in whole seconds.
        await queue.send(
          { kind } satisfies WakeMessage,
          delaySeconds > 0 ? { delaySeconds: Math.min(Math.ceil(delaySeconds), maxDelaySeconds) } : {},
        );
      } catch (error) {
        consoleLog.warn("could not send work to a queue", { kind, error });
      }
    },
  };
}
