import { isRecord } from "../../lib/json.ts";

/** Where the length of a model's context may be said. */
export interface ContextSources {
  /** Stored data of the model and of its base; an administrator's `context_length` is there. */
  metas: readonly Record<string, unknown>[];
  /** Parameters of the model; local runtimes have `num_ctx`. */
  params: Record<string, unknown>;
  /** The provider's entry in its list. */
  raw: Record<string, unknown> | undefined;
}

/** Names in providers' lists, what is served before what the model could do: vLLM, LM Studio, OpenRouter, Groq, Mistral, Gemini, Anthropic. */
const listed = [
  "loaded_context_length",
  "max_model_len",
  "context_length",
  "context_window",
  "max_context_length",
  "inputTokenLimit",
  "input_token_limit",
  "max_input_tokens",
] as const;

/** How many tokens the model takes, question and answer together; undefined where nobody says. */
export function contextLengthOf({ metas, params, raw }: ContextSources): number | undefined {
  const custom = isRecord(params["custom_params"]) ? params["custom_params"] : {};
  const said = [
    ...metas.map((meta) => meta["context_length"]),
    params["num_ctx"],
    custom["num_ctx"],
    ...listed.map((name) => raw?.[name]),
    // llama.cpp
    isRecord(raw?.["meta"]) ? (raw["meta"]["n_ctx"] ?? raw["meta"]["n_ctx_train"]) : undefined,
  ];
  return said.map(readLength).find((length) => length !== undefined);
}

function readLength(value: unknown): number | undefined {
  const length = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof length === "number" && Number.isInteger(length) && length > 0 ? length : undefined;
}
