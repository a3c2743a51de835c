import { isRecord } from "../../lib/json.ts";

/** How providers say it: OpenAI, Azure, vLLM, llama.cpp, Anthropic, Gemini, Mistral, Groq, Ollama, OpenRouter. */
const words =
  /context.?(?:length|window|size)|maximum context|(?:prompt|input|request|messages?) (?:is|are) too (?:long|large)|too many (?:input )?tokens|tokens? (?:limit|count) (?:exceed|of)|exceeds? the (?:maximum|available|limit).{0,60}(?:token|context)|reduce the length|larger than the maximum.{0,40}context/i;
const codes = new Set([
  "context_length_exceeded",
  "exceed_context_size_error",
  "request_too_large",
  "model_max_prompt_tokens_exceeded",
]);

/** Whether a model's provider has refused a conversation because of its length. */
export function isTooLong(error: unknown): boolean {
  if (!isRecord(error) && !(error instanceof Error)) return false;
  const { code, status, message, type } = error as Record<string, unknown>;
  if ([code, type].some((each) => typeof each === "string" && codes.has(each))) return true;
  const isRefusal = typeof status !== "number" || status === 400 || status === 413 || status === 422;
  return isRefusal && typeof message === "string" && words.test(message);
}
