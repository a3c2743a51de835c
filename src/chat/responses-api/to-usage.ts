import { readUsage } from "../../usage/read-usage.ts";

/** The usage of a chat completion in the Responses format; null if the provider reported none. */
export function toUsage(value: unknown): Record<string, unknown> | null {
  const usage = readUsage(value);
  if (!usage) return null;
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.total,
  };
}
