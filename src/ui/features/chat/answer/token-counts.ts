import { isRecord } from "../../../lib/live/live-state.ts";

/** Tokens of an answer, as far as its provider has counted them. */
export interface TokenCounts {
  /** All that the model was given. */
  input: number | undefined;
  /** Of the input: read from the provider's cache. */
  cached: number | undefined;
  /** All that the model wrote. */
  output: number | undefined;
  /** Of the output: reasoning. */
  reasoning: number | undefined;
  total: number | undefined;
}

/**
 * Reads the `usage` of a message: the chat-completions fields, and where tools took several calls of the model the sums of all of
 * them (peer facts 3.4). Undefined where nothing was counted.
 */
export function readTokenCounts(usage: unknown): TokenCounts | undefined {
  if (!isRecord(usage)) return undefined;
  const input = count(usage, "input_tokens", "prompt_tokens");
  const output = count(usage, "output_tokens", "completion_tokens");
  const said = count(usage, "total_tokens");
  if (input === undefined && output === undefined && said === undefined) return undefined;
  return {
    input,
    output,
    cached: inside(usage, ["prompt_tokens_details", "input_tokens_details"], "cached_tokens"),
    reasoning: inside(usage, ["completion_tokens_details", "output_tokens_details"], "reasoning_tokens"),
    total: said ?? (input ?? 0) + (output ?? 0),
  };
}

function inside(usage: Record<string, unknown>, parts: readonly string[], name: string): number | undefined {
  return parts.map((part) => (isRecord(usage[part]) ? count(usage[part], name) : undefined)).find(Boolean);
}

function count(record: Record<string, unknown>, ...names: readonly string[]): number | undefined {
  return names
    .map((name) => record[name])
    .find((value) => typeof value === "number" && Number.isFinite(value) && value >= 0) as number | undefined;
}
