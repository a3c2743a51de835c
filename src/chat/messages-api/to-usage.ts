import { readUsage, type TokenUsage } from "../../usage/read-usage.ts";

/** The service's own counts, used if the provider reports none: tokens of the request, and characters of the answer. */
export interface Counted {
  input: number;
  letters: number;
}

/**
 * The usage of an answer in the Messages API: cached tokens, read or written, are listed beside `input_tokens`.
 * @param said the usage of the chat-completions answer
 */
export function toUsage(said: unknown, counted: Counted): Record<string, unknown> {
  const usage = readUsage(said);
  if (!usage) return usageOf({ input: counted.input, output: tokensOf(counted.letters) });
  return usageOf(usage);
}

/** All usage fields that clients expect, with what is known before the first token. */
export function startUsage(input: number): Record<string, unknown> {
  return usageOf({ input, output: 0 });
}

function usageOf({ input = 0, cached = 0, cacheWrite = 0, output = 0, reasoning = 0 }: Partial<TokenUsage>) {
  return {
    input_tokens: Math.max(0, input - cached - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    output_tokens_details: reasoning > 0 ? { thinking_tokens: reasoning } : null,
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: null,
    speed: null,
  };
}

/** A token is about four characters. */
function tokensOf(letters: number): number {
  return Math.ceil(letters / 4);
}
