import { readBytes } from "../http/byte-reader.ts";
import type { StopSignal } from "../lib/stop-signal.ts";
import { neverMs, realTimers, watchIdle } from "../lib/timers.ts";
import { utf8Text } from "../lib/utf8.ts";
import { createAnswerBody } from "../upstream/answers/answer-body.ts";
import { UpstreamError } from "../upstream/errors/upstream-error.ts";
import type { UsageState } from "../usage/schema.ts";
import { tailSize } from "./read-tail-usage.ts";

/** What is known of an answer after its end. */
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
  refusal: StopSignal;
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
  return new UpstreamError(504, "The runtime sent no data for too long.", {
    type: "upstream_error",
    code: "upstream_timeout",
  });
}

/** The answer byte for byte, read only when the caller reads; its end is examined while it passes. */
export function watchAnswer(body: ReadableStream<Uint8Array>, options: WatchOptions): ReadableStream<Uint8Array> {
  const { refusal, idleMs, farewell, onCancel, onPiece, onEnd } = options;
  const reader = readBytes(body);
  const tail = createTail();
  let firstAt: number | undefined;
  let isOver = false;
  let isReading = false;
  /** Why it breaks off, until the caller was told. */
  let broken: { reason: unknown } | undefined;
  const watch = watchIdle(realTimers, idleMs, () => {
    // A caller who takes its time is not the runtime's silence.
    if (isReading) stop("error", silentAnswer());
  });
  const onRefusal = () => stop("stopped", refusal.reason);

  function end(state: UsageState): void {
    if (isOver) return;
    isOver = true;
    watch.stop();
    refusal.removeEventListener("abort", onRefusal);
    onEnd({ state, firstAt, ...tail.end() });
  }

  /** Ends it before its end; a read that is under way comes back with nothing. */
  function stop(state: UsageState, reason: unknown): void {
    if (isOver) return;
    end(state);
    broken = { reason };
    cancel(reason);
  }

  function cancel(reason: unknown): void {
    onCancel(reason);
    reader.cancel(reason).catch(() => undefined);
  }

  /** Anyone who reads must see that this was not all. @throws the reason where it cannot be said */
  function lastWords(): Uint8Array | undefined {
    if (!broken) return undefined;
    const { reason } = broken;
    broken = undefined;
    const words = tail.isWhole() ? farewell(reason) : undefined;
    if (words === undefined) throw reason;
    return new TextEncoder().encode(words);
  }

  async function next(): Promise<Uint8Array | undefined> {
    if (isOver) return lastWords();
    isReading = true;
    watch.touch();
    try {
      const { done, value } = await reader.read();
      if (isOver) return lastWords();
      if (done || !value) {
        end("done");
        return undefined;
      }
      firstAt ??= Date.now();
      tail.keep(value);
      onPiece?.();
      return value;
    } catch (error) {
      if (!isOver) {
        end("error");
        broken = { reason: error };
      }
      return lastWords();
    } finally {
      isReading = false;
    }
  }

  refusal.addEventListener("abort", onRefusal);
  if (refusal.aborted) onRefusal();
  const source = {
    next,
    commit: () => undefined,
    cancel(reason: unknown) {
      end("stopped");
      cancel(reason);
    },
  };
  // Nothing is said in between that the runtime did not say.
  return createAnswerBody(source, { keepAliveMs: neverMs });
}

/** The last of what went by, and how much it was. */
function createTail() {
  /** Pieces of which together at least the tail is kept. */
  let last: Uint8Array[] = [];
  let held = 0;
  let lines = 0;
  let length = 0;
  let isWhole = true;
  return {
    isWhole: () => isWhole,
    keep(bytes: Uint8Array): void {
      isWhole = bytes.at(-1) === newLine;
      last.push(bytes);
      held += bytes.length;
      length += bytes.length;
      // Events have an empty line behind them, which is none.
      for (let at = bytes.indexOf(newLine); at !== -1; at = bytes.indexOf(newLine, at + 1))
        if (bytes[at + 1] !== newLine) lines++;
      if (held < 4 * tailSize) return;
      const joined = Buffer.concat(last).subarray(-tailSize);
      last = [joined];
      held = joined.length;
    },
    end: () => ({ tail: utf8Text(Buffer.concat(last).subarray(-tailSize)), lines, length }),
  };
}
