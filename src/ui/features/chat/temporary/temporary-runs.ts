import { toApiError } from "../../../lib/api-error.ts";
import { apiResponse } from "../../../lib/api.ts";
import { readEventStream } from "../../../lib/read-event-stream.ts";
import type { Message } from "../message-tree.ts";
import { readPiece } from "./read-piece.ts";

/** Behind a hidden tab there are no animation frames (ms). */
const hiddenStep = 500;
/** Longest time that a timer takes; an answer ends when it ends (ms). */
const never = 2 ** 31 - 1;

/** How an answer was when it was over. */
export type RunEnd = Pick<Message, "state" | "error" | "usage" | "reasoningDuration" | "finishReason">;

/** What somebody who shows the answer is told. */
export interface RunListener {
  /** More text and reasoning. */
  more(content: string, reasoning: string): void;
  /** The answer is over, in whatever way; called once. */
  ended(end: RunEnd): void;
}

/** Answers that are kept nowhere: they come with the request that asks for them, and end when the tab is closed. */
export class TemporaryRuns {
  #running = new Map<string, AbortController>();

  /** @param body of `POST /api/chat/completions`; never rejects */
  async start(answerId: string, body: Record<string, unknown>, listener: RunListener): Promise<void> {
    const abort = new AbortController();
    this.#running.set(answerId, abort);
    const thinking = new Stopwatch();
    const take = { usage: undefined as Record<string, unknown> | undefined, isWhole: false, finishReason: "" };
    let error: Message["error"];
    try {
      const { signal } = abort;
      const response = await apiResponse("POST", "/api/chat/completions", { body, signal, timeout: never });
      if (response.body)
        for await (const events of readEventStream(response.body)) {
          const piece = readPiece(events);
          if (piece.reasoning) thinking.start();
          if (piece.content.trim()) thinking.stop();
          take.usage = piece.usage ?? take.usage;
          take.isWhole ||= piece.isLast;
          take.finishReason = piece.finishReason ?? take.finishReason;
          error ??= piece.error;
          if (piece.content || piece.reasoning) listener.more(piece.content, piece.reasoning);
          await nextFrame();
        }
    } catch (cause) {
      if (!abort.signal.aborted) error = toApiError(cause);
    }
    thinking.stop();
    this.#running.delete(answerId);
    listener.ended({
      state: abort.signal.aborted ? "stopped" : error ? "error" : take.isWhole ? "done" : "interrupted",
      error:
        abort.signal.aborted || !error ? null : { message: error.message, ...(error.code ? { code: error.code } : {}) },
      ...(take.usage ? { usage: take.usage } : {}),
      ...(take.finishReason ? { finishReason: take.finishReason } : {}),
      ...(thinking.seconds > 0 ? { reasoningDuration: thinking.seconds } : {}),
    });
  }

  stop(answerId: string): void {
    this.#running.get(answerId)?.abort();
  }

  stopAll(): void {
    for (const id of this.#running.keys()) this.stop(id);
  }
}

/** So much is painted at once as has come since the last frame, however fast it comes. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (document.visibilityState === "visible") requestAnimationFrame(() => resolve());
    else setTimeout(resolve, hiddenStep);
  });
}

class Stopwatch {
  seconds = 0;
  #since: number | undefined;

  start(): void {
    this.#since ??= Date.now();
  }

  stop(): void {
    if (this.#since !== undefined) this.seconds += (Date.now() - this.#since) / 1000;
    this.#since = undefined;
  }
}
