import { type TokenUsage, usageOf } from "../usage/read-usage.ts";
import type { WatchedEnd } from "./watch-answer.ts";

/** Bytes that a token takes, as a rule. */
const bytesOfToken = 4;

/**
 * What a call came to whose runtime does not say it, by sizes alone: a stream has a line for each token, and what is sent as a whole
 * is text for the most part.
 * @param request as it was sent
 */
export function estimateUsage(
  request: Uint8Array,
  { lines, length }: Pick<WatchedEnd, "lines" | "length">,
): TokenUsage {
  const output = lines > 1 ? lines : Math.ceil(length / bytesOfToken);
  return usageOf({ input: Math.ceil(request.length / bytesOfToken), output, isEstimated: true });
}
