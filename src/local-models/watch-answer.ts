import { readBytes } from "../chat/completions/byte-reader.ts";
import { realTimers, watchIdle } from "../chat/completions/timers.ts";
import { UpstreamError } from "../chat/completions/upstream-error.ts";
import type { UsageState } from "../usage/schema.ts";
import { tailSize } from "./read-tail-usage.ts";

/** What there is to know of an answer when it is over. */
export interface WatchedEnd {
  state: UsageState;
  /** When its first byte came, epoch milliseconds. */
  firstAt: number | undefined;
  /** Its last characters. */
  tail: string;
  /** How many lines have something in them, and how many bytes there were. */
  lines: number;
  length: number;
}

export interface WatchOptions {
  /** When it fires, the answer ends, with what `farewell` says of the reason. */
  refusal: AbortSignal;
  /** How long the runtime may be silent, milliseconds. */
  idleMs: number;
  /** What is said behind a whole line of a stream that breaks off; undefined where that cannot be said. */
  farewell: (reason: unknown) => string | undefined;
  /** The caller left, or must not have it: lets the runtime go. */
  onCancel(reason: unknown): void;
  /** Called for each piece, before the caller has it. */
  onPiece?(): void;
  /** Called once. */
  onEnd(end: WatchedEnd): void;
}

const newLine = 10;

function silentAnswer(): UpstreamError {
  return new UpstreamError(504, "The runtime sent nothing for too long.", {
    type: "upstream_error",
    code: "upstream_timeout",
  });
}

/** The answer byte for byte, read only when the caller reads; its end is looked at on the way. */
export function watchAnswer(body: ReadableStream<Uint8Array>, options: WatchOptions): ReadableStream<Uint8Array> {
  const { refusal, idleMs, farewell, onCancel, onPiece, onEnd } = options;
  const reader = readBytes(body);
  let firstAt: number | undefined;
  let isOver = false;
  /** The last pieces, of which together at least the tail is kept. */
  let last: Uint8Array[] = [];
  let held = 0;
  let lines = 0;
  let length = 0;
  let isWhole = true;
  let isReading = false;
  let stream: ReadableStreamDefaultController<Uint8Array>;
  const watch = watchIdle(realTimers, idleMs, () => {
    // A caller who takes its time is not the runtime's silence.
    if (isReading) stop("error", silentAnswer());
  });
  const onRefusal = () => stop("stopped", refusal.reason);

  function keep(bytes: Uint8Array): void {
    firstAt ??= Date.now();
    isWhole = bytes.at(-1) === newLine;
    last.push(bytes);
    held += bytes.length;
    length += bytes.length;
    // Events have an empty line behind them, which is none.
    for (let at = bytes.indexOf(newLine); at !== -1; at = bytes.indexOf(newLine, at + 1))
      if (bytes[at + 1] !== newLine) lines++;
    if (held < 2 * tailSize) return;
    const joined = Buffer.concat(last).subarray(-tailSize);
    last = [joined];
    held = joined.length;
  }

  function end(state: UsageState): void {
    if (isOver) return;
    isOver = true;
    watch.stop();
    refusal.removeEventListener("abort", onRefusal);
    const tail = new TextDecoder().decode(Buffer.concat(last).subarray(-tailSize));
    onEnd({ state, firstAt, tail, lines, length });
  }

  /** Whoever reads must see that this is not all. */
  function breakOff(reason: unknown): void {
    const words = isWhole ? farewell(reason) : undefined;
    if (words === undefined) return stream.error(reason);
    stream.enqueue(new TextEncoder().encode(words));
    stream.close();
  }

  /** Ends it for a reason of ours. */
  function stop(state: UsageState, reason: unknown): void {
    if (isOver) return;
    end(state);
    onCancel(reason);
    reader.cancel(reason).catch(() => undefined);
    breakOff(reason);
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      stream = controller;
      refusal.addEventListener("abort", onRefusal);
      if (refusal.aborted) onRefusal();
    },
    async pull(controller) {
      try {
        isReading = true;
        watch.touch();
        const { done, value } = await reader.read();
        isReading = false;
        if (isOver) return;
        if (done || !value) {
          end("done");
          return controller.close();
        }
        keep(value);
        onPiece?.();
        controller.enqueue(value);
      } catch (error) {
        if (isOver) return;
        end("error");
        breakOff(error);
      }
    },
    cancel(reason) {
      end("stopped");
      onCancel(reason);
      return reader.cancel(reason);
    },
  });
}
