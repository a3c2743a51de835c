import { isRecord } from "../../lib/json.ts";
import { type CountRequest, ownFields } from "./schema.ts";
import { type Block, blocksOf } from "./to-chat-parts.ts";

/** Parameters of a model with the same name in the dialect. */
const sameName = new Set(["temperature", "top_p", "top_k", "thinking", "output_config", "service_tier", "metadata"]);

/**
 * The body for a native provider: unchanged, but with the model's own parameters as defaults and the model's system
 * prompt first. Thoughts without a signature come from another model and are left out, because the provider would
 * reject the request.
 * @param params of the model, overridden by the caller's
 */
export function nativeBody(request: CountRequest, params: Record<string, unknown>): Record<string, unknown> {
  const body: Record<string, unknown> = Object.fromEntries(
    Object.entries(request).filter(([name]) => !ownFields.includes(name)),
  );
  for (const [name, value] of Object.entries(params)) {
    if (sameName.has(name) && value !== null && value !== "") body[name] ??= value;
  }
  const { system } = params;
  if (typeof system === "string" && system.trim() !== "")
    body["system"] = [{ type: "text", text: system }, ...blocksOf(request.system)];
  if (request.messages.some(hasForeignThought)) body["messages"] = request.messages.map(withoutForeignThoughts);
  return body;
}

function isForeign(block: unknown): boolean {
  return isRecord(block) && block["type"] === "thinking" && !block["signature"];
}

type Message = CountRequest["messages"][number];

function hasForeignThought({ role, content }: Message): boolean {
  return role === "assistant" && Array.isArray(content) && content.some(isForeign);
}

function withoutForeignThoughts(message: Message): Block {
  if (!hasForeignThought(message)) return message;
  return { ...message, content: (message.content as Block[]).filter((block) => !isForeign(block)) };
}
