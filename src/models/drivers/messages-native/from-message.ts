import { isRecord } from "../../../lib/json.ts";
import { finishReasonOf } from "./finish-reason.ts";
import { toUsage } from "./to-usage.ts";

/**
 * A Messages answer as a chat completion. Thoughts are in `reasoning_content`, and as complete blocks with signatures
 * in `thinking_blocks`, which `toMessages` accepts.
 * @param now epoch seconds
 */
export function completionOfMessage(
  message: Record<string, unknown>,
  { model, now }: { model: string; now: number },
): Record<string, unknown> {
  const blocks = Array.isArray(message["content"]) ? message["content"].filter(isRecord) : [];
  const texts = blocks.filter(({ type, text }) => type === "text" && typeof text === "string");
  const thoughts = blocks.filter(({ type }) => type === "thinking" || type === "redacted_thinking");
  const calls = blocks.filter(({ type }) => type === "tool_use");
  const reasoning = thoughts.map(({ thinking }) => (typeof thinking === "string" ? thinking : "")).join("");
  return {
    id: message["id"],
    object: "chat.completion",
    created: now,
    model: typeof message["model"] === "string" ? message["model"] : model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: texts.length > 0 ? texts.map(({ text }) => text).join("") : null,
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
          ...(thoughts.length > 0 ? { thinking_blocks: thoughts } : {}),
          ...(calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
        },
        ...finishReasonOf(message),
      },
    ],
    ...(isRecord(message["usage"]) ? { usage: toUsage(message["usage"]) } : {}),
  };
}

function toolCall({ id, name, input }: Record<string, unknown>): Record<string, unknown> {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input ?? {}) } };
}
