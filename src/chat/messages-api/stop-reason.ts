/** The stop reason of an answer in the Messages API. */
export interface Stop {
  stop_reason: string;
  stop_sequence: string | null;
}

const reasons: Record<string, string> = {
  stop: "end_turn",
  length: "max_tokens",
  max_tokens: "max_tokens",
  tool_calls: "tool_use",
  function_call: "tool_use",
  content_filter: "refusal",
};
const contextExceeded = "model_context_window_exceeded";
/** Stop reasons of native providers, sent beside the finish reason. */
const native = new Set(["pause_turn", "refusal", contextExceeded]);

/**
 * Why the answer ended. Only some upstreams report which stop sequence matched: vLLM and the driver for native
 * providers (`stop_reason`), SGLang (`matched_stop`).
 * @param choice with its finish reason and fields beside it
 * @param met the sequence found in the text by Parley
 */
export function stopOf(
  choice: Record<string, unknown>,
  { sequences, calls, met }: { sequences: readonly string[]; calls: number; met?: string | undefined },
): Stop {
  const { finish_reason: finish, native_finish_reason: own, stop_reason: stop, matched_stop: matched } = choice;
  const sequence = met ?? [stop, matched].find((each) => typeof each === "string" && sequences.includes(each));
  const reason = typeof finish === "string" ? (reasons[finish] ?? "end_turn") : "end_turn";
  if (reason === "max_tokens")
    return { stop_reason: own === contextExceeded ? contextExceeded : reason, stop_sequence: null };
  if (calls > 0) return { stop_reason: "tool_use", stop_sequence: null };
  if (typeof sequence === "string") return { stop_reason: "stop_sequence", stop_sequence: sequence };
  if (typeof own === "string" && native.has(own)) return { stop_reason: own, stop_sequence: null };
  return { stop_reason: reason === "tool_use" ? "end_turn" : reason, stop_sequence: null };
}
