import { readTokenCounts } from "../answer/token-counts.ts";
import type { Message } from "../message-tree.ts";

/** Letters of one token, about, in most languages and models. */
const lettersPerToken = 4;

/**
 * Tokens that a branch takes of its model's context: what the provider has counted for the last answer, and an estimate of what
 * came after it. Counts of answers with tools are sums of several calls, so those are estimated, as is a branch whose beginning
 * was summarized since.
 */
export function usedTokens(path: readonly Message[]): number {
  const shortenedAt = path.findLastIndex(({ summary }) => summary !== undefined);
  const kept = shortenedAt === -1 ? path : path.slice(shortenedAt);
  const countedAt = kept.findLastIndex(
    (message) => countOf(message) !== undefined && !message.edited && message.state !== "streaming",
  );
  const summary = kept[0]?.summary ?? "";
  const start = countedAt === -1 ? estimate(summary) : countOf(kept[countedAt]!)!;
  return kept.slice(countedAt + 1).reduce((sum, { content }) => sum + estimate(content), start);
}

function countOf({ role, usage, items }: Message): number | undefined {
  if (role !== "assistant" || (items && items.tools.length > 0)) return undefined;
  return readTokenCounts(usage)?.total || undefined;
}

function estimate(text: string): number {
  return Math.ceil(text.length / lettersPerToken);
}
