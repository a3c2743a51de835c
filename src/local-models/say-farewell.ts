import { networkFailure } from "../upstream/errors/network-failure.ts";

/**
 * What is said at the end of a stream that breaks off, in the manner of the stream: a line of its own as runtimes write it, or an event
 * as OpenAI's clients read it. Undefined for what is no stream.
 * @param contentType of the stream
 */
export function sayFarewell(contentType: string, reason: unknown): string | undefined {
  const failure = networkFailure(reason);
  if (/ndjson|jsonl/i.test(contentType)) return `${JSON.stringify({ error: failure.message })}\n`;
  // An event may be under way: the line that is whole is not its end.
  if (/event-stream/i.test(contentType)) return `\n\ndata: ${JSON.stringify(failure.toStreamError())}\n\n`;
  return undefined;
}
