import type { AnswerStream } from "./answer-stream.ts";
import { realTimers, type Timers, watchIdle } from "./timers.ts";

const keepAliveLine = new TextEncoder().encode(": keep-alive\n\n");

export interface AnswerBodyOptions {
  /** After how long without a byte a comment line is sent, milliseconds. */
  keepAliveMs?: number | undefined;
  timers?: Timers | undefined;
  /** The caller's signal; the body fails with its reason. */
  signal?: AbortSignal | undefined;
}

/**
 * The body for the caller. It reads the upstream only when the caller reads, cancels it when the caller leaves, and says
 * a comment line into every 15 s of silence, because proxies cut idle connections (most after 60 to 125 s).
 * @param first what the stream's first `next` will give, where it was already asked
 * @param since when the caller began to wait, on the timers' clock: silence counts from there
 */
export function createAnswerBody(
  source: AnswerStream,
  options: AnswerBodyOptions = {},
  first?: Promise<Uint8Array | undefined>,
  since?: number,
): ReadableStream<Uint8Array> {
  const { signal, keepAliveMs = 15_000, timers = realTimers } = options;
  let waiting = first;
  let reading = false;
  let ended = false;
  let finish = (): void => undefined;
  let touch = (): void => undefined;

  source.commit();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const sayComment = (): void => {
          // Where nobody reads, nothing has to be kept alive, and the lines would pile up.
          if (reading) controller.enqueue(keepAliveLine);
        };
        const watch = watchIdle(timers, keepAliveMs, sayComment, since);
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
        const asked = waiting ?? source.next();
        waiting = undefined;
        const bytes = await asked;
        reading = false;
        if (ended) return;
        touch();
        if (bytes) controller.enqueue(bytes);
        else {
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
