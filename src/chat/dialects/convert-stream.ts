import { isRecord, tryParseJson } from "../../lib/json.ts";
import { createEventSplitter } from "../../upstream/answers/split-events.ts";
import { incompleteAnswer, invalidAnswer, type OpenAiError } from "../../upstream/errors/upstream-error.ts";

/** Says a chat-completions stream in another dialect. Each call gives the text that goes out for it, whole frames or nothing. */
export interface StreamConverter {
  /** Once, before anything else, when the model's stream says its first sign of life. */
  start(): string;
  /** One chunk, as the repair leaves them: choices with deltas; usage or what the service adds where `choices` is empty. */
  chunk(chunk: Record<string, unknown>): string;
  /** The model was silent for so long that something has to be said. */
  idle(): string;
  /** The stream failed; instead of `end`. `status` beside the message is the HTTP status that it would have had. */
  error(error: OpenAiError): string;
  /** The answer is whole. */
  end(): string;
  /** Everything is said before the model is through: looked at after each chunk; then comes `end`, and the model is let go. */
  readonly isOver?: boolean;
  /** Waited for before the last events go out: what they say is there must be there. It does not fail. */
  beforeEnd?(): Promise<void>;
}

/** Longest event, in UTF-16 units; the repair lets none through that is longer. */
const longestEvent = 17 * 1024 * 1024;

/**
 * A chat-completions stream in another dialect. What came in one piece goes out in one piece: a stream's hops cost more than
 * what is converted in them. It is read only when the caller reads, and let go when the caller leaves; after the end or an error
 * nothing goes out any more.
 * @param body events as `converse` gives them: `data:` frames, comments in between, `[DONE]` or an error at the end
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
    maxLength: longestEvent,
    onEvent: ({ data }) => {
      events += 1;
      if (data === "[DONE]") finish(converter.end());
      else readChunk(tryParseJson(data));
      return !ended;
    },
    onOverflow: () => fail(invalidAnswer("a longer event than can be handled").toStreamError().error),
  });

  function readChunk(value: unknown): void {
    if (!isRecord(value)) return;
    const { error } = value;
    if (isRecord(error)) fail(error as OpenAiError);
    else {
      out += converter.chunk(value);
      if (converter.isOver) finish(converter.end());
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

  /** The body is over, or broke: whatever was not said to be whole is not. */
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
          if (converter.isOver) {
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
