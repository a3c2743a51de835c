import { type AnswerBodyOptions, createAnswerBody } from "../../src/upstream/answers/answer-body.ts";
import { type AnswerStreamOptions, createAnswerStream } from "../../src/upstream/answers/answer-stream.ts";

/**
 * The repaired form of an upstream's body for a caller whose status line is already sent: failures come as error events,
 * silence is filled with comment lines, the upstream is read as fast as the caller reads and let go when the caller leaves.
 */
export function repairStream(
  upstreamBody: ReadableStream<Uint8Array>,
  options: AnswerStreamOptions & AnswerBodyOptions,
): ReadableStream<Uint8Array> {
  return createAnswerBody(createAnswerStream(new Response(upstreamBody), options), options);
}
