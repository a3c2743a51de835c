import { isRecord } from "../../lib/json.ts";
import type { ResponsesRequest } from "./schema.ts";
import { toChatMessages } from "./to-chat-messages.ts";
import { type ChatTools, toToolChoice } from "./to-chat-tools.ts";
import type { Item } from "./to-parts.ts";

export interface CompletionOptions {
  /** The whole conversation, earlier turns first. */
  items: readonly Item[];
  tools: ChatTools;
  /** The provider is native: it has a Messages API. */
  isNative: boolean;
}

/** Same names, same meaning. */
const kept = [
  "model",
  "temperature",
  "top_p",
  "parallel_tool_calls",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "service_tier",
  "params",
  "tool_ids",
  "filter_ids",
] as const;

/**
 * A Responses request as a chat-completions body.
 * @throws AppError `bad_request` for what a model does not support
 */
export function toCompletion(request: ResponsesRequest, options: CompletionOptions): Record<string, unknown> {
  const { tools } = options;
  const files: Item[] = [...(request.files ?? [])];
  const onFile = (id: string) => void files.push({ type: "file", id, context: "full" });
  const messages = toChatMessages(options.items, { isNative: options.isNative, onFile });
  const { instructions, max_output_tokens: maxTokens, reasoning, text } = request;
  const stream = request.stream === true;
  return {
    ...Object.fromEntries(
      kept.filter((name) => request[name] !== undefined && request[name] !== null).map((name) => [name, request[name]]),
    ),
    messages: instructions ? [{ role: "system", content: instructions }, ...messages] : messages,
    ...(tools.tools.length > 0 ? { tools: tools.tools } : {}),
    ...toToolChoice(request.tool_choice, tools),
    ...(typeof maxTokens === "number" ? { max_tokens: maxTokens } : {}),
    ...(reasoning?.effort ? { reasoning_effort: reasoning.effort } : {}),
    ...(text?.verbosity ? { verbosity: text.verbosity } : {}),
    ...formatOf(text?.format),
    ...logprobsOf(request),
    ...(files.length > 0 ? { files } : {}),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
  };
}

function formatOf(format: unknown): Record<string, unknown> {
  if (!isRecord(format)) return {};
  const { type, ...schema } = format;
  if (type === "json_schema") return { response_format: { type, json_schema: schema } };
  return type === "json_object" ? { response_format: { type } } : {};
}

function logprobsOf({ include, top_logprobs: maxChoices }: ResponsesRequest): Record<string, unknown> {
  const wanted = include?.includes("message.output_text.logprobs") === true || (maxChoices ?? 0) > 0;
  return wanted ? { logprobs: true, ...(maxChoices ? { top_logprobs: maxChoices } : {}) } : {};
}
