/** Words of servers that have others than the dialect for why an answer ended. */
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
 * The dialect's word for an upstream's reason. Some say `stop` where tools are called, and clients that look at the reason alone
 * would take the answer for the last one. A word that nobody knows stays as it is.
 */
export function finishReason(given: string, isCalling: boolean): string {
  const reason = synonyms[given.toLowerCase()] ?? (given === "STOP" ? "stop" : given);
  return reason === "stop" && isCalling ? "tool_calls" : reason;
}
