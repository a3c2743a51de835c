import { isRecord, tryParseJson } from "../lib/json.ts";

/** Parameters for the service or its clients, not for providers. */
const servicePrefs = new Set([
  "system",
  "personal_instructions",
  "custom_params",
  "function_calling",
  "stream_response",
  "stream_delta_chunk_size",
  "reasoning_tags",
]);

/**
 * Fields that a stored model must never set: the model, the messages, the transport, and what belongs to the caller.
 */
const requestOnly = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "user",
  "chat_id",
  "session_id",
  "id",
  "metadata",
  "params",
]);

/** Synonyms: a default under one name must not be combined with the caller's value under the other. */
const synonyms: Record<string, string> = { max_tokens: "max_completion_tokens", max_completion_tokens: "max_tokens" };

/**
 * A chat-completions body with a model's parameters as defaults: the request's values win. The model's system prompt
 * comes first, then the request's own system message. Unknown keys are passed to the provider. The given body is not
 * changed.
 */
export function applyModelParams(
  model: { params: Record<string, unknown> },
  body: Record<string, unknown>,
): Record<string, unknown> {
  const { params } = model;
  const result = { ...body };
  const extra = isRecord(params.custom_params)
    ? Object.entries(params.custom_params).map(([name, value]): [string, unknown] => [name, readCustom(value)])
    : [];
  for (const [name, value] of [...Object.entries(params), ...extra]) {
    if (value === null || value === undefined || value === "" || servicePrefs.has(name) || requestOnly.has(name))
      continue;
    const synonym = synonyms[name];
    if (isSaid(body, name) || (synonym !== undefined && isSaid(body, synonym))) continue;
    result[name] = name === "stop" ? readStop(value) : value;
  }
  const { system } = params;
  if (typeof system === "string" && system.trim() !== "") result.messages = withSystemPrompt(system, body.messages);
  return result;
}

function isSaid(body: Record<string, unknown>, name: string): boolean {
  return body[name] !== undefined && body[name] !== null;
}

/** Open WebUI's clients store custom parameters as JSON text. */
function readCustom(value: unknown): unknown {
  return typeof value === "string" ? (tryParseJson(value) ?? value) : value;
}

/** Open WebUI's clients store stop sequences as one text with commas. */
function readStop(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parts = value.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** The prompt first, merged with an existing first system message, because some providers accept only one. */
export function withSystemPrompt(prompt: string, messages: unknown): unknown[] {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  const [first, ...rest] = list;
  if (!isRecord(first) || (first.role !== "system" && first.role !== "developer"))
    return [{ role: "system", content: prompt }, ...list];
  const { content } = first;
  if (Array.isArray(content))
    return [{ ...first, content: [{ type: "text", text: prompt }, ...(content as unknown[])] }, ...rest];
  const own = typeof content === "string" && content !== "" ? `\n\n${content}` : "";
  return [{ ...first, content: prompt + own }, ...rest];
}
