import { isRecord, tryParseJson } from "../../lib/json.ts";
import { createEventSplitter } from "../../upstream/answers/split-events.ts";
import { incompleteAnswer, invalidAnswer, type OpenAiError } from "../../upstream/errors/upstream-error.ts";

/**
 * Converts a chat-completions stream into another dialect. Each call returns the text to send, whole frames or nothing.
 */
export interface StreamConverter {
  /** Called once, before anything else, when the model's stream gives its first sign of life. */
  start(): string;
  /** One repaired chunk: choices with deltas; usage or additions of the service if `choices` is empty. */
  chunk(chunk: Record<string, unknown>): string;
  /** The model was silent for so long that a keep-alive is needed. */
  idle(): string;
  /** The stream failed; called instead of `end`. `status` is the HTTP status that it would have had. */
  error(error: OpenAiError): string;
  /** The answer is complete. */
  end(): string;
  /**
   * Everything was said before the model has finished: checked after each chunk; then `end` follows, and the model is
   * stopped.
   */
  isOver?(): boolean;
  /** Awaited before the last events are sent, because what they announce must exist. Never fails. */
  beforeEnd?(): Promise<void>;
}

/** Maximum length of an event, in UTF-16 units; the repair rejects longer ones. */
const maxEventLength = 17 * 1024 * 1024;

/**
 * A chat-completions stream in another dialect. What arrives in one piece is sent in one piece: hops of a stream cost
 * more than the conversion. It is read only when the caller reads, and cancelled when the caller leaves; nothing is sent
 * after the end or an error.
 * @param body events from `converse`: `data:` frames, comments in between, `[DONE]` or an error at the end
 */
export function convertStream(
  body: ReadableStream<Uint8Array>,
  converter: StreamConverter,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let out = "";
  let started = false;
  let ended = false;
  let events = 0;

  const splitter = createEventSplitter({
    maxLength: maxEventLength,
    onEvent: ({ data }) => {
      events += 1;
      if (data === "[DONE]") finish(converter.end());
      else readChunk(tryParseJson(data));
      return !ended;
    },
    onOverflow: () => fail(invalidAnswer("an event that is too long").toStreamError().error),
  });

  function readChunk(value: unknown): void {
    if (!isRecord(value)) return;
    const { error } = value;
    if (isRecord(error)) fail(error as OpenAiError);
    else {
      out += converter.chunk(value);
      if (converter.isOver?.()) finish(converter.end());
    }
  }

  function finish(last: string): void {
    out += last;
    ended = true;
  }

  function fail(error: OpenAiError): void {
    finish(converter.error(error));
  }

  function begin(): void {
    if (!started) out += converter.start();
    started = true;
  }

  function push(text: string): void {
    begin();
    events = 0;
    splitter.push(text);
    if (events === 0 && !ended && /^:/m.test(text)) out += converter.idle();
  }

  /** The body ended or broke: without an explicit end the answer is incomplete. */
  function close(cause?: unknown): void {
    if (ended) return;
    begin();
    splitter.end();
    if (!ended) fail(incompleteAnswer(cause).toStreamError().error);
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const step = await reader
            .read()
            .catch((cause: unknown) => ({ done: true as const, value: undefined, cause }));
          out = "";
          if (step.done) close("cause" in step ? step.cause : undefined);
          else if (!ended) push(decoder.decode(step.value, { stream: true }));
          if (ended && out !== "") await converter.beforeEnd?.();
          if (out !== "") controller.enqueue(encoder.encode(out));
          if (step.done) return controller.close();
          if (converter.isOver?.()) {
            void reader.cancel().catch(() => undefined);
            return controller.close();
          }
          if (out !== "") return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
