import { newResponseId } from "./item-ids.ts";
import type { ResponsesRequest } from "./schema.ts";
import type { Item } from "./to-parts.ts";

/** Fields of a request that its answer repeats or depends on. */
export interface ResponseHeadOptions {
  request: ResponsesRequest;
  /** The tools that the model was offered. */
  tools: readonly Item[];
  /** Whether it is stored. */
  store: boolean;
  /** Epoch seconds. */
  now: number;
  newId?: (() => string) | undefined;
}

/**
 * The initial response object (https://platform.openai.com/docs/api-reference/responses/object), with the requested
 * settings.
 */
export function responseHead({ request, tools, store, now, newId }: ResponseHeadOptions): Record<string, unknown> {
  const { reasoning, text } = request;
  return {
    id: newResponseId(newId),
    object: "response",
    created_at: now,
    status: "in_progress",
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: null,
    metadata: request.metadata ?? {},
    model: request.model,
    output: [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: request.service_tier ?? "auto",
    store,
    temperature: request.temperature ?? null,
    text: { format: text?.format ?? { type: "text" }, ...(text?.verbosity ? { verbosity: text.verbosity } : {}) },
    tool_choice: request.tool_choice ?? "auto",
    tools,
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? null,
    truncation: "disabled",
    usage: null,
    user: request.user ?? null,
  };
}
