import { isRecord } from "../../lib/json.ts";
import type { MessagesRequest } from "./schema.ts";
import { toChatMessages } from "./to-chat-messages.ts";
import { toChatTools, toToolChoice } from "./to-chat-tools.ts";

/** Fields with another name or place in chat completions, or with none. */
const converted = new Set([
  "messages",
  "system",
  "tools",
  "tool_choice",
  "stop_sequences",
  "metadata",
  "service_tier",
  "output_config",
  "output_format",
  "files",
  "stream",
  "betas",
  "anthropic_version",
  "anthropic_beta",
]);
/** Fields of the dialect: for native providers only. */
const dialect = new Set([
  "thinking",
  "cache_control",
  "container",
  "context_management",
  "inference_geo",
  "mcp_servers",
  "speed",
]);

/** Longest `user` that OpenAI takes. */
const maxUserLength = 64;

/**
 * A Messages request as a chat-completions body. Unknown fields are passed on, because a model may know them.
 * `thinking` is not passed on: models that cannot think reject it, and clients of the dialect send it to every model.
 * `output_config.effort` is sent deliberately and becomes `reasoning_effort`.
 * @param options `keepsBlocks`: the provider is native, and fields of the dialect are kept for it
 * @throws AppError `bad_request` for what such a model does not support
 */
export function toCompletion(request: MessagesRequest, options: { keepsBlocks: boolean }): Record<string, unknown> {
  const { keepsBlocks } = options;
  const files: Record<string, unknown>[] = [...(request.files ?? [])];
  const onFile = (id: string) => void files.push({ type: "file", id, context: "full" });
  const messages = toChatMessages(request, { keepsBlocks, onFile });
  const tools = toChatTools(request.tools ?? [], options);
  const stream = request.stream === true;
  return {
    ...Object.fromEntries(
      Object.entries(request).filter(([name]) => !converted.has(name) && (keepsBlocks || !dialect.has(name))),
    ),
    messages,
    ...(tools.length > 0 ? { tools } : {}),
    ...toToolChoice(request.tool_choice, tools.length > 0),
    ...(request.stop_sequences?.length ? { stop: request.stop_sequences } : {}),
    ...(keepsBlocks
      ? keptOf(request)
      : { ...userOf(request), ...tierOf(request["service_tier"]), ...outputOf(request) }),
    ...(files.length > 0 ? { files } : {}),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
  };
}

/** Fields that the native driver knows by the dialect's names. */
const kept = ["metadata", "service_tier", "output_config"] as const;

function keptOf(request: MessagesRequest): Record<string, unknown> {
  return Object.fromEntries(kept.filter((name) => request[name] !== undefined).map((name) => [name, request[name]]));
}

function userOf({ metadata }: MessagesRequest): Record<string, unknown> {
  const id = metadata?.user_id;
  return id ? { user: id.slice(0, maxUserLength) } : {};
}

function tierOf(tier: unknown): Record<string, unknown> {
  if (tier === "auto") return { service_tier: "auto" };
  return tier === "standard_only" ? { service_tier: "default" } : {};
}

const efforts: Record<string, string> = { low: "low", medium: "medium", high: "high", xhigh: "high", max: "high" };

function outputOf(request: MessagesRequest): Record<string, unknown> {
  const { effort, format: configured } = request.output_config ?? {};
  // The older name of the same.
  const format = configured ?? request["output_format"];
  const said = typeof effort === "string" ? efforts[effort] : undefined;
  return { ...(said ? { reasoning_effort: said } : {}), ...formatOf(format) };
}

function formatOf(format: unknown): Record<string, unknown> {
  if (!isRecord(format)) return {};
  const { type, schema, name } = format;
  if (type === "json_object") return { response_format: { type } };
  if (type !== "json_schema" || !isRecord(schema)) return {};
  const named = typeof name === "string" && /^[\w-]{1,64}$/.test(name) ? name : "answer";
  return { response_format: { type, json_schema: { name: named, schema, strict: true } } };
}
