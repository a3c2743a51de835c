import { isRecord, textsIn } from "../../../lib/json.ts";
import { abilitiesOf, type Abilities } from "./abilities.ts";
import { thinkingOf } from "./thinking.ts";
import { toMessages } from "./to-messages.ts";
import { toToolChoice, toTools } from "./to-tools.ts";
import { unsupported } from "./unsupported.ts";

/** Fields of the dialect beyond chat completions, which callers and model parameters may use. */
const ownFields = [
  "top_k",
  "cache_control",
  "container",
  "context_management",
  "inference_geo",
  "mcp_servers",
  "speed",
];

/**
 * A chat-completions request as a Messages request (docs.anthropic.com, "Create a Message"). Parameters without an
 * equivalent (penalties, seed, logprobs) are left out; what would change the meaning is rejected.
 * @throws UpstreamError 400
 */
export function toMessagesRequest(body: Record<string, unknown>, model: string): Record<string, unknown> {
  if (typeof body["n"] === "number" && body["n"] > 1)
    throw unsupported("n: this model supports only one answer at a time", "n");
  const abilities = abilitiesOf(model);
  const { system, messages, opensThinking } = toMessages(body["messages"]);
  const maxTokens = numberIn(body["max_completion_tokens"]) ?? numberIn(body["max_tokens"]) ?? abilities.maxTokens;
  const tools = toTools(body["tools"], body["tool_choice"]);
  const toolChoice = tools.length > 0 ? toToolChoice(body["tool_choice"], body["parallel_tool_calls"]) : undefined;
  const isForced = toolChoice?.["type"] === "any" || toolChoice?.["type"] === "tool";
  const { thinking, effort } = thinkingOf(body, { abilities, maxTokens, isForced, opensThinking });
  const format = formatOf(body["response_format"], abilities);
  const instructions = format?.instructions;
  const stop = stopOf(body["stop"]);
  const own = isRecord(body["output_config"]) ? body["output_config"] : {};
  const output = { ...(effort ? { effort } : {}), ...(format?.schema ? { format: format.schema } : {}), ...own };
  const metadata = metadataOf(body);
  return {
    ...Object.fromEntries(ownFields.filter((name) => isSaid(body[name])).map((name) => [name, body[name]])),
    max_tokens: maxTokens,
    messages,
    ...(system.length > 0 || instructions
      ? { system: instructions ? [...system, { type: "text", text: instructions }] : system }
      : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(toolChoice ? { tool_choice: toolChoice } : {}),
    ...samplingOf(body, abilities, isThinking(thinking)),
    ...(stop.length > 0 ? { stop_sequences: stop } : {}),
    ...(thinking ? { thinking } : {}),
    ...(Object.keys(output).length > 0 ? { output_config: output } : {}),
    ...(metadata ? { metadata } : {}),
    ...tierOf(body["service_tier"]),
    ...(body["stream"] === true ? { stream: true } : {}),
  };
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function isThinking(thinking: Record<string, unknown> | undefined): boolean {
  return thinking !== undefined && thinking["type"] !== "disabled";
}

/** Temperatures go up to 1 here; thinking and newest models accept none, and many not both sampling parameters. */
function samplingOf(body: Record<string, unknown>, { sampling }: Abilities, thinks: boolean): Record<string, unknown> {
  const temperature = numberIn(body["temperature"]);
  const topP = numberIn(body["top_p"]);
  if (thinks || sampling === "none") return {};
  const hasBoth = temperature !== undefined && topP !== undefined;
  return {
    ...(temperature !== undefined ? { temperature: Math.min(1, Math.max(0, temperature)) } : {}),
    ...(topP !== undefined && !(hasBoth && sampling === "one") ? { top_p: topP } : {}),
  };
}

/** The dialect rejects stop sequences of only white space. */
function stopOf(stop: unknown): string[] {
  return (typeof stop === "string" ? [stop] : textsIn(stop)).filter((each) => each.trim() !== "");
}

/** `user` identifies a person of the caller; the dialect's own field wins. */
function metadataOf({ metadata, user }: Record<string, unknown>): Record<string, unknown> | undefined {
  const id = isRecord(metadata) ? metadata["user_id"] : undefined;
  const known = typeof id === "string" ? id : user;
  return typeof known === "string" && known !== "" ? { user_id: known.slice(0, 256) } : undefined;
}

function tierOf(tier: unknown): Record<string, unknown> {
  if (tier === "auto" || tier === "standard_only") return { service_tier: tier };
  return tier === "default" ? { service_tier: "standard_only" } : {};
}

interface Format {
  schema?: Record<string, unknown>;
  /** For models that do not support schemas. */
  instructions?: string;
}

function formatOf(format: unknown, { hasSchemas }: Abilities): Format | undefined {
  if (!isRecord(format)) return undefined;
  const { type, json_schema: described } = format;
  if (type === "json_object") return { instructions: "Answer with one JSON object and nothing else." };
  const schema = isRecord(described) ? described["schema"] : undefined;
  if (type !== "json_schema" || !isRecord(schema)) return undefined;
  if (hasSchemas) return { schema: { type: "json_schema", schema } };
  return {
    instructions: `Answer with one JSON value and nothing else. It must match this JSON schema:\n${JSON.stringify(schema)}`,
  };
}
