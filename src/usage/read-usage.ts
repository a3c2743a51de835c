import { isRecord } from "../lib/json.ts";

/** Tokens of one call of a model, whichever dialect said them. */
export interface TokenUsage {
  /** All that the model was given, also what came out of its cache or went into it. */
  input: number;
  /** Of the input: read from the provider's cache. */
  cached: number;
  /** Of the input: written into the provider's cache. */
  cacheWrite: number;
  /** All that the model wrote, its reasoning included. */
  output: number;
  /** Of the output: reasoning. */
  reasoning: number;
  total: number;
  /** The provider said nothing: counted here, some 20 % beside the truth. */
  isEstimated?: boolean;
}

/** What no model takes or writes in one call: a larger number is an upstream's mistake, and would spoil all sums. */
const maxTokens = 1_000_000_000;

/**
 * Tokens in what a provider says of a call: the `usage` of chat completions (OpenAI's, DeepSeek's and others' fields), Messages
 * (where cached tokens stand beside the input: they are added to it), Responses and embeddings, or the counts in a local
 * runtime's last line (`prompt_eval_count`, `eval_count`) and llama.cpp's `timings`.
 * @param value the usage itself, or the whole answer or event around it
 * @returns undefined where nothing of it is a count
 */
export function readUsage(value: unknown): TokenUsage | undefined {
  if (!isRecord(value)) return undefined;
  return readCounts(value) ?? readInside(value);
}

/** What stands around a usage: answers, the `response` of Responses' events, the `message` of `message_start`. */
function readInside(value: Record<string, unknown>): TokenUsage | undefined {
  for (const name of ["usage", "response", "message"]) {
    const inner = value[name];
    if (!isRecord(inner)) continue;
    const found = name === "usage" ? readCounts(inner) : isRecord(inner["usage"]) && readCounts(inner["usage"]);
    if (found) return found;
  }
  return isRecord(value["timings"]) ? readTimings(value["timings"]) : undefined;
}

function readCounts(usage: Record<string, unknown>): TokenUsage | undefined {
  if (has(usage, "prompt_tokens") || has(usage, "completion_tokens")) return readCompletion(usage);
  if (has(usage, "input_tokens") || has(usage, "output_tokens")) return readItems(usage);
  if (has(usage, "prompt_eval_count") || has(usage, "eval_count"))
    return usageOf({ input: count(usage["prompt_eval_count"]), output: count(usage["eval_count"]) });
  if (has(usage, "total_tokens")) return usageOf({ input: count(usage["total_tokens"]) });
  return undefined;
}

/** Chat completions and embeddings. */
function readCompletion(usage: Record<string, unknown>): TokenUsage {
  const prompt = within(usage["prompt_tokens_details"]);
  const completion = within(usage["completion_tokens_details"]);
  const said = count(usage["prompt_tokens"]);
  // LiteLLM's: its prompt holds them already. More than the prompt stands beside it, as in Messages.
  const read = count(usage["cache_read_input_tokens"]);
  const written = count(usage["cache_creation_input_tokens"]);
  return usageOf({
    input: read + written > said ? said + read + written : said,
    // DeepSeek's, and Mistral's older name.
    cached: count(prompt["cached_tokens"] ?? usage["prompt_cache_hit_tokens"] ?? usage["cached_tokens"] ?? read),
    // OpenRouter's.
    cacheWrite: count(prompt["cache_write_tokens"] ?? written),
    output: count(usage["completion_tokens"]),
    reasoning: count(completion["reasoning_tokens"] ?? usage["reasoning_tokens"]),
    total: count(usage["total_tokens"]),
  });
}

/** Responses, whose input holds what was cached, and Messages, whose input does not. */
function readItems(usage: Record<string, unknown>): TokenUsage {
  const output = count(usage["output_tokens"]);
  const isMessages = ["cache_read_input_tokens", "cache_creation_input_tokens"].some((name) => name in usage);
  if (isMessages) {
    const cached = count(usage["cache_read_input_tokens"]);
    const cacheWrite = count(usage["cache_creation_input_tokens"]);
    return usageOf({ input: count(usage["input_tokens"]) + cached + cacheWrite, cached, cacheWrite, output });
  }
  return usageOf({
    input: count(usage["input_tokens"]),
    cached: count(within(usage["input_tokens_details"])["cached_tokens"]),
    output,
    reasoning: count(within(usage["output_tokens_details"])["reasoning_tokens"]),
    total: count(usage["total_tokens"]),
  });
}

/** llama.cpp's own: `prompt_n` is without what its cache had. */
function readTimings(timings: Record<string, unknown>): TokenUsage | undefined {
  if (!has(timings, "prompt_n") && !has(timings, "predicted_n")) return undefined;
  const cached = count(timings["cache_n"]);
  return usageOf({ input: count(timings["prompt_n"]) + cached, cached, output: count(timings["predicted_n"]) });
}

/** Whole and consistent: parts are no larger than what they are part of, and no total is smaller than input and output. */
export function usageOf(said: Partial<TokenUsage>): TokenUsage {
  const { input = 0, output = 0, cached = 0, cacheWrite = 0, reasoning = 0, total = 0 } = said;
  return {
    input,
    cached: Math.min(cached, input),
    cacheWrite: Math.min(cacheWrite, input - Math.min(cached, input)),
    output,
    reasoning: Math.min(reasoning, output),
    // Some count reasoning beside the output, in the total only.
    total: Math.max(total, input + output),
    ...(said.isEstimated ? { isEstimated: true } : {}),
  };
}

function has(record: Record<string, unknown>, name: string): boolean {
  return typeof record[name] === "number";
}

function within(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function count(value: unknown): number {
  if (typeof value !== "number" || !(value > 0)) return 0;
  return Math.min(Math.round(value), maxTokens);
}
