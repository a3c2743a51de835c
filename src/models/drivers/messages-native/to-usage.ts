import { isRecord } from "../../../lib/json.ts";

type Counts = Record<string, unknown>;

/** Merges later counts into earlier ones: totals, not increments; null is ignored. */
export function mergeUsage(before: Counts, later: unknown): Counts {
  if (!isRecord(later)) return before;
  return { ...before, ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== null)) };
}

/**
 * The dialect's usage as chat completions count: the prompt includes tokens read from and written to the cache, which
 * are also listed separately.
 */
export function toUsage(usage: Counts): Counts {
  const [read, written] = [count(usage["cache_read_input_tokens"]), count(usage["cache_creation_input_tokens"])];
  const prompt = count(usage["input_tokens"]) + read + written;
  const completion = count(usage["output_tokens"]);
  const details = usage["output_tokens_details"];
  const thought = isRecord(details) ? count(details["thinking_tokens"]) : 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
    ...(thought > 0 ? { completion_tokens_details: { reasoning_tokens: thought } } : {}),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
