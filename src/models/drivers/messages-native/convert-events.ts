import { readBytes } from "../../../http/byte-reader.ts";
import { createEventSplitter } from "../../../upstream/answers/split-events.ts";
import { oversizedAnswer } from "../../../upstream/errors/upstream-error.ts";
import { createEventConverter, type EventConverterOptions } from "./event-converter.ts";

/** Longest event, in UTF-16 units. */
const maxEventLength = 16 * 1024 * 1024;

/**
 * A Messages stream as a chat-completions stream: pulled by its reader, one piece for each that arrives, canceled with
 * its reader. Events without an equivalent (such as a ping) become a comment, which shows that the provider is alive.
 */
export function convertEvents(
  body: ReadableStream<Uint8Array>,
  options: EventConverterOptions,
): ReadableStream<Uint8Array> {
  const reader = readBytes(body);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const convert = createEventConverter(options);
  let out = "";
  let isTooLong = false;
  const splitter = createEventSplitter({
    maxLength: maxEventLength,
    onEvent: ({ data }) => {
      out += convert(data);
      return true;
    },
    onOverflow: () => {
      isTooLong = true;
    },
  });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        out = "";
        splitter.push(done || !value ? decoder.decode() : decoder.decode(value, { stream: true }));
        if (done) splitter.end();
        if (isTooLong) {
          void reader.cancel().catch(() => undefined);
          throw oversizedAnswer();
        }
        if (out !== "" || !done) controller.enqueue(encoder.encode(out === "" ? ": still there\n\n" : out));
        if (done) controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
