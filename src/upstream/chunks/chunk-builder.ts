import { newId as newUuid } from "../../lib/id.ts";
import { createReplyAccumulator, type Reply, type ReplyDelta } from "../answers/accumulate-reply.ts";
import { UpstreamError } from "../errors/upstream-error.ts";
import type { Chunk } from "./chunk-shape.ts";

/** Token counts of the dialect; further fields are allowed. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  [extra: string]: unknown;
}

export interface TextAnswerOptions {
  model: string;
  /** Epoch seconds. */
  now?: (() => number) | undefined;
  newId?: (() => string) | undefined;
  finishReason?: string | undefined;
}

export interface TextStreamOptions extends TextAnswerOptions {
  /** Usage to send at the end, if the caller requested it. */
  usage?: (() => Usage | undefined) | undefined;
  onDelta?: ((delta: ReplyDelta) => void) | undefined;
  /** Stops the generator; the stream fails with its reason. */
  signal?: AbortSignal | undefined;
}

function frameOf(options: TextAnswerOptions, object: string): Chunk {
  const created = options.now?.() ?? Math.floor(Date.now() / 1000);
  return { id: `chatcmpl-${(options.newId ?? newUuid)()}`, object, created, model: options.model };
}

/** A `chat.completion` with the text. */
export function completionFromText(text: string, options: TextAnswerOptions & { usage?: Usage | undefined }): Chunk {
  const message = { role: "assistant", content: text };
  const choice = { index: 0, message, logprobs: null, finish_reason: options.finishReason ?? "stop" };
  const usage = options.usage ? { usage: options.usage } : {};
  return { ...frameOf(options, "chat.completion"), choices: [choice], ...usage };
}

/**
 * The stream of a generator's texts: role, one chunk for each text, finish reason, usage if given, `[DONE]`. It pulls a
 * text only when the caller reads. An exception in the generator ends it with an error event; a caller that leaves ends
 * the generator.
 */
export function streamFromText(
  texts: AsyncIterable<string>,
  options: TextStreamOptions,
): { body: ReadableStream<Uint8Array>; finished: Promise<Reply> } {
  const encoder = new TextEncoder();
  const frame = frameOf(options, "chat.completion.chunk");
  const reply = createReplyAccumulator({ onDelta: options.onDelta });
  const iterator = texts[Symbol.asyncIterator]();
  const { signal } = options;
  let started = false;
  let ended = false;
  let resolveFinished: (reply: Reply) => void = () => undefined;
  const finished = new Promise<Reply>((resolve) => {
    resolveFinished = resolve;
  });

  function event(chunk: Chunk): string {
    reply.addChunk(chunk);
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
  function choice(delta: Chunk, reason: string | null): string {
    return event({ ...frame, choices: [{ index: 0, delta, finish_reason: reason }] });
  }
  function opening(): string {
    if (started) return "";
    started = true;
    return choice({ role: "assistant", content: "" }, null);
  }
  function ending(): string {
    const usage = options.usage?.();
    const last = usage ? event({ ...frame, choices: [], usage }) : "";
    return `${choice({}, options.finishReason ?? "stop")}${last}data: [DONE]\n\n`;
  }
  function finish(): void {
    ended = true;
    resolveFinished(reply.reply());
  }
  function leave(reason: unknown): void {
    if (ended) return;
    const error = new UpstreamError(499, "The request was cancelled.", { code: "request_cancelled", cause: reason });
    reply.setError(error.toStreamError().error);
    finish();
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onAbort = (): void => {
          if (ended) return;
          leave(signal?.reason);
          controller.error(signal?.reason);
        };
        if (signal?.aborted) onAbort();
        else signal?.addEventListener("abort", onAbort, { once: true });
      },
      async pull(controller) {
        let out: string;
        let last = true;
        try {
          const { done, value } = await iterator.next();
          if (ended) return;
          last = done === true;
          out = opening() + (last ? ending() : choice({ content: value }, null));
        } catch (error) {
          if (ended) return;
          const failure =
            error instanceof UpstreamError
              ? error
              : new UpstreamError(500, "The model failed.", { code: "function_failed", cause: error });
          reply.setError(failure.toStreamError().error);
          out = `data: ${JSON.stringify(failure.toStreamError())}\n\n`;
        }
        controller.enqueue(encoder.encode(out));
        if (!last) return;
        finish();
        controller.close();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return { body, finished };
}
