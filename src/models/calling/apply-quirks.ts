import { isRecord } from "../../lib/json.ts";
import type { ConnectionQuirks } from "./schema.ts";

/** Fields of OpenAI's chat-completions API (its reference, "Create chat completion"), including deprecated ones. */
const knownFields = new Set([
  "audio",
  "frequency_penalty",
  "function_call",
  "functions",
  "logit_bias",
  "logprobs",
  "max_completion_tokens",
  "max_tokens",
  "messages",
  "metadata",
  "modalities",
  "model",
  "n",
  "parallel_tool_calls",
  "prediction",
  "presence_penalty",
  "prompt_cache_key",
  "prompt_cache_retention",
  "reasoning_effort",
  "response_format",
  "safety_identifier",
  "seed",
  "service_tier",
  "stop",
  "store",
  "stream",
  "stream_options",
  "temperature",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "user",
  "verbosity",
  "web_search_options",
]);

/** A chat-completions request in the form that the provider accepts. The given body is not changed. */
export function applyQuirks(quirks: ConnectionQuirks, body: Record<string, unknown>): Record<string, unknown> {
  const { rename, drop, force, defaults, system_role: role } = quirks;
  const left = new Set(drop);
  if (!quirks.stream_options) left.add("stream_options");
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (left.has(name) || (quirks.unknown_fields === "drop" && !knownFields.has(name))) continue;
    const called = Object.hasOwn(rename, name) ? rename[name]! : name;
    // Under its own name it was said more plainly.
    if (called !== name && isSaid(body[called]) && !left.has(called) && !Object.hasOwn(rename, called)) continue;
    result[called] = value;
  }
  for (const [name, value] of Object.entries(defaults)) if (!isSaid(result[name])) result[name] = value;
  Object.assign(result, force);
  const { messages } = result;
  if (!Array.isArray(messages)) return result;
  const lean = quirks.drop_from_messages.length > 0 ? withoutFields(messages, quirks.drop_from_messages) : messages;
  result["messages"] = role === "keep" ? lean : withRole(lean, role);
  return result;
}

function withoutFields(messages: readonly unknown[], names: readonly string[]): unknown[] {
  return messages.map((message) =>
    isRecord(message) && names.some((name) => name in message)
      ? Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)))
      : message,
  );
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isPrompt(message: unknown): message is Record<string, unknown> {
  return isRecord(message) && (message["role"] === "system" || message["role"] === "developer");
}

function withRole(messages: readonly unknown[], role: "system" | "developer" | "user"): unknown[] {
  const renamed = messages.map((message) => (isPrompt(message) ? { ...message, role } : message));
  return role === "user" ? joinQuestions(renamed, messages) : renamed;
}

/** Models without system prompts need alternating user and assistant messages: consecutive user messages are joined. */
function joinQuestions(renamed: readonly unknown[], before: readonly unknown[]): unknown[] {
  const result: unknown[] = [];
  renamed.forEach((message, at) => {
    const last = result.at(-1);
    const wasPrompt = at > 0 && isPrompt(before[at - 1]);
    if (wasPrompt && isRecord(message) && message["role"] === "user" && isRecord(last))
      result[result.length - 1] = { ...message, content: joined(last["content"], message["content"]) };
    else result.push(message);
  });
  return result;
}

function joined(first: unknown, second: unknown): unknown {
  if (typeof first === "string" && typeof second === "string") return `${first}\n\n${second}`;
  return [...partsOf(first), ...partsOf(second)];
}

function partsOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "string" ? [{ type: "text", text: content }] : [];
}
