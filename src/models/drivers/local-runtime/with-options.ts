import { isRecord } from "../../../lib/json.ts";

/** The runtime's names for parameters of chat completions, and its own, which callers may use too. */
const optionOf = new Map([
  ["max_tokens", "num_predict"],
  ["max_completion_tokens", "num_predict"],
]);
const sameName = new Set(
  (
    "temperature top_p top_k min_p typical_p seed stop presence_penalty frequency_penalty repeat_penalty repeat_last_n mirostat " +
    "mirostat_eta mirostat_tau tfs_z penalize_newline num_predict num_ctx num_keep num_batch num_gpu num_thread draft_num_predict"
  ).split(" "),
);

/**
 * The request with its parameters also in the runtime's `options`: it has more of them than chat completions (`top_k`,
 * `num_ctx`), and not every runtime reads them at the top level. The caller's own `options` win.
 */
export function withOptions(body: Record<string, unknown>): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const option = sameName.has(name) ? name : optionOf.get(name);
    if (option !== undefined && value !== null && value !== undefined) options[option] = value;
  }
  const own = isRecord(body["options"]) ? body["options"] : {};
  return Object.keys(options).length === 0 ? body : { ...body, options: { ...options, ...own } };
}
