import { keepAliveMs } from "../../http/keep-alive.ts";
import { joinBytes } from "../../lib/join-bytes.ts";
import type { StopSignal } from "../../lib/stop-signal.ts";
import { realTimers, type Timers, watchIdle } from "../../lib/timers.ts";
import type { AnswerStream } from "./answer-stream.ts";

/**
 * Minimum milliseconds between two writes. Each write costs every process on the way more than fifty events, and five
 * milliseconds are invisible: the first piece after that is sent immediately, pieces in between are joined.
 */
const writeIntervalMs = 5;
/** This many bytes are sent immediately. */
const maxHeldBytes = 65_536;
const keepAliveLine = new TextEncoder().encode(": keep-alive\n\n");

export interface AnswerBodyOptions {
  /** Interval of comment lines during silence, milliseconds. */
  keepAliveMs?: number | undefined;
  timers?: Timers | undefined;
  /** The caller's signal; the body fails with its reason. */
  signal?: StopSignal | undefined;
}

/**
 * The body for the caller. It reads the upstream only when the caller reads (pieces within a few milliseconds are
 * joined), cancels it when the caller leaves, and sends a comment line every 15 s during silence, because proxies close
 * idle connections (most after 60 to 125 s).
 * @param first the result of the stream's first `next`, if it was already called
 * @param since when the caller began to wait, on the timers' clock: silence counts from there
 */
export function createAnswerBody(
  source: Pick<AnswerStream, "next" | "commit" | "cancel">,
  options: AnswerBodyOptions = {},
  first?: Promise<Uint8Array | undefined>,
  since?: number,
): ReadableStream<Uint8Array> {
  const { signal, keepAliveMs: silenceMs = keepAliveMs, timers = realTimers } = options;
  let waiting = first;
  let sentAt = -Infinity;
  let reading = false;
  let ended = false;
  let finish = (): void => undefined;
  let touch = (): void => undefined;

  /** The next piece, and after a recent write everything until the next one is due. */
  async function gather(): Promise<{ pieces: Uint8Array[]; over: boolean }> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    let isDue = false;

    /** @returns whether the stream is over */
    async function collect(until: number): Promise<boolean> {
      for (;;) {
        const bytes = await (waiting ??= source.next());
        // Too late for this write: it is the first piece of the next one.
        if (isDue) return false;
        waiting = undefined;
        if (!bytes) return true;
        pieces.push(bytes);
        length += bytes.length;
        if (length >= maxHeldBytes || ended || timers.now() >= until) return false;
      }
    }

    const over = await collect(-Infinity);
    const left = sentAt + writeIntervalMs - timers.now();
    if (over || ended || left <= 0 || length >= maxHeldBytes) return { pieces, over };
    let timer: unknown;
    const due = new Promise<boolean>((resolve) => {
      timer = timers.set(() => {
        isDue = true;
        resolve(false);
      }, left);
    });
    try {
      return { pieces, over: await Promise.race([collect(sentAt + writeIntervalMs), due]) };
    } finally {
      timers.clear(timer);
    }
  }

  source.commit();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const sayComment = (): void => {
          // Where nobody reads, nothing has to be kept alive, and the lines would pile up.
          if (reading) controller.enqueue(keepAliveLine);
        };
        const watch = watchIdle(timers, silenceMs, sayComment, since);
        const onAbort = (): void => {
          if (ended) return;
          finish();
          source.cancel(signal?.reason);
          controller.error(signal?.reason);
        };
        touch = watch.touch;
        finish = () => {
          ended = true;
          watch.stop();
          signal?.removeEventListener("abort", onAbort);
        };
        if (signal?.aborted) onAbort();
        else signal?.addEventListener("abort", onAbort);
      },
      async pull(controller) {
        reading = true;
        const { pieces, over } = await gather();
        reading = false;
        if (ended) return;
        touch();
        sentAt = timers.now();
        if (pieces.length > 0) controller.enqueue(joinBytes(pieces));
        if (over) {
          finish();
          controller.close();
        }
      },
      cancel(reason) {
        finish();
        source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
