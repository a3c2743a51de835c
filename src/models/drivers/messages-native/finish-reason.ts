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
 * Why an answer ended, as a choice says it. The dialect's own word stands beside it, and the stop sequence that was met where others
 * (vLLM) have it too, in `stop_reason`.
 */
export function finishReasonOf(ended: Record<string, unknown>): Record<string, unknown> {
  const { stop_reason: reason, stop_sequence: sequence } = ended;
  return {
    finish_reason: (typeof reason === "string" ? reasons[reason] : undefined) ?? "stop",
    ...(typeof reason === "string" ? { native_finish_reason: reason } : {}),
    ...(typeof sequence === "string" ? { stop_reason: sequence } : {}),
  };
}
