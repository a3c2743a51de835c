import { isRecord, tryParseJson } from "../lib/json.ts";

/** Parameters that mean something to the service or its clients, and nothing to a provider. */
const servicePrefs = new Set([
  "system",
  "custom_params",
  "function_calling",
  "stream_response",
  "stream_delta_chunk_size",
  "reasoning_tags",
]);

/** What a stored model must never decide: which model is asked, what was said, how it is sent, what belongs to the caller. */
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

/** Two names of the same thing: a default under one must not stand beside the caller's value under the other. */
const synonyms: Record<string, string> = { max_tokens: "max_completion_tokens", max_completion_tokens: "max_tokens" };

/**
 * A chat-completions body with a model's parameters as defaults: what the request says wins. The model's system prompt comes
 * first and the request's own system message after it. Keys that the service does not know go to the provider as they are.
 * The body given is not changed.
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

/** Clients of the peer keep custom parameters as JSON text. */
function readCustom(value: unknown): unknown {
  return typeof value === "string" ? (tryParseJson(value) ?? value) : value;
}

/** Clients of the peer keep stop sequences as one text with commas. */
function readStop(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parts = value.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** The prompt first; a system message that stands first already is merged into it, as some providers take only one. */
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
