/** Other servers' values for finish reasons. */
const synonyms: Record<string, string> = {
  eos: "stop",
  eos_token: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  complete: "stop",
  max_tokens: "length",
  model_length: "length",
  tool_use: "tool_calls",
  tool_call: "tool_calls",
  safety: "content_filter",
  content_filtered: "content_filter",
};

/**
 * The dialect's finish reason for an upstream's. Some send `stop` with tool calls, and clients that check only the
 * reason would treat the answer as the last one. Unknown values stay unchanged.
 */
export function finishReason(given: string, isCalling: boolean): string {
  const reason = synonyms[given.toLowerCase()] ?? (given === "STOP" ? "stop" : given);
  return reason === "stop" && isCalling ? "tool_calls" : reason;
}
