const reasons: Record<string, string> = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/**
 * The finish reason of a choice. The dialect's own reason is added beside it, and the matched stop sequence in
 * `stop_reason`, as in vLLM.
 */
export function finishReasonOf(ended: Record<string, unknown>): Record<string, unknown> {
  const { stop_reason: reason, stop_sequence: sequence } = ended;
  return {
    finish_reason: (typeof reason === "string" ? reasons[reason] : undefined) ?? "stop",
    ...(typeof reason === "string" ? { native_finish_reason: reason } : {}),
    ...(typeof sequence === "string" ? { stop_reason: sequence } : {}),
  };
}
