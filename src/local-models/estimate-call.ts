import { estimateUsage } from "../usage/estimate-tokens.ts";
import { type TokenUsage, usageOf } from "../usage/read-usage.ts";
import type { CallBody } from "./read-call-body.ts";
import type { WatchedEnd } from "./watch-answer.ts";

/** Bytes that a token takes, as a rule. */
const bytesPerToken = 4;
/** A larger request is pictures for the most part, and is not gone through again. */
const maxReadBytes = 1_000_000;

/**
 * What a call comes to whose runtime does not say it: OpenAI's streams, unless they are asked for it. A stream has a line for each token.
 * @param body as it was sent
 */
export function estimateCall(body: CallBody): (end: Pick<WatchedEnd, "lines" | "length">) => TokenUsage {
  // The answer may take long: what it answers need not be kept so long.
  const read = body.bytes.length <= maxReadBytes ? body : undefined;
  return ({ lines, length }) => {
    const { input } = read ? estimateUsage(read.parse(), "") : { input: maxReadBytes / bytesPerToken / 10 };
    return usageOf({ input, output: lines > 1 ? lines : Math.ceil(length / bytesPerToken), isEstimated: true });
  };
}
