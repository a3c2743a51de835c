import type { ConnectionQuirks } from "../../../../models/calling/schema.ts";
import type { ConnectionKind } from "../../../../models/connections/schema.ts";

/** A well-known provider: where it is, and how its API differs from OpenAI's by its own documentation and error messages. */
export interface Preset {
  id: string;
  name: string;
  kind: ConnectionKind;
  address: string;
  quirks: Partial<ConnectionQuirks>;
}

/** Newer models refuse the old name of the limit; older ones take both. */
const openAi: Partial<ConnectionQuirks> = { rename: { max_tokens: "max_completion_tokens" } };
/** Providers that know the old name only. */
const oldLimit: ConnectionQuirks["rename"] = { max_completion_tokens: "max_tokens" };

export const presets: Preset[] = [
  { id: "openai", name: "OpenAI", kind: "openai", address: "https://api.openai.com/v1", quirks: openAi },
  {
    id: "azure",
    name: "Azure OpenAI",
    kind: "openai",
    address: "https://your-resource.openai.azure.com/openai/v1",
    quirks: openAi,
  },
  { id: "anthropic", name: "Anthropic", kind: "anthropic", address: "https://api.anthropic.com", quirks: {} },
  {
    id: "gemini",
    name: "Google Gemini",
    kind: "openai",
    address: "https://generativelanguage.googleapis.com/v1beta/openai",
    quirks: {
      unknown_fields: "drop",
      drop: ["frequency_penalty", "presence_penalty", "logit_bias", "web_search_options"],
      images: "data_url",
    },
  },
  {
    id: "mistral",
    name: "Mistral",
    kind: "openai",
    address: "https://api.mistral.ai/v1",
    // It refuses whatever it does not know, in messages too, and says the usage of every stream unasked.
    quirks: {
      unknown_fields: "drop",
      rename: { ...oldLimit, seed: "random_seed" },
      drop: ["user", "logit_bias", "logprobs", "top_logprobs", "store", "service_tier", "metadata"],
      drop_from_messages: ["name", "reasoning_content"],
      stream_options: false,
      system_role: "system",
    },
  },
  {
    id: "groq",
    name: "Groq",
    kind: "openai",
    address: "https://api.groq.com/openai/v1",
    quirks: { drop: ["logprobs", "logit_bias", "top_logprobs"], drop_from_messages: ["name"] },
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    kind: "openai",
    address: "https://api.deepseek.com/v1",
    quirks: { rename: oldLimit, system_role: "system" },
  },
  { id: "xai", name: "xAI", kind: "openai", address: "https://api.x.ai/v1", quirks: {} },
  { id: "openrouter", name: "OpenRouter", kind: "openai", address: "https://openrouter.ai/api/v1", quirks: {} },
  { id: "together", name: "Together AI", kind: "openai", address: "https://api.together.xyz/v1", quirks: {} },
  { id: "vllm", name: "vLLM", kind: "openai", address: "http://127.0.0.1:8000/v1", quirks: {} },
  {
    id: "llama",
    name: "llama.cpp",
    kind: "openai",
    address: "http://127.0.0.1:8080/v1",
    quirks: { images: "data_url" },
  },
  {
    id: "lmstudio",
    name: "LM Studio",
    kind: "openai",
    address: "http://127.0.0.1:1234/v1",
    quirks: { images: "data_url" },
  },
  { id: "ollama", name: "Ollama", kind: "local", address: "http://127.0.0.1:11434", quirks: {} },
];
