import { isRecord } from "../../lib/json.ts";
import { type Block, cannotSay, type PartsOptions } from "./to-chat-parts.ts";

/**
 * Tools as functions. Tools that the provider itself runs or trains for are not supported.
 * @throws AppError `bad_request` for such a tool: without it the model would invent the result
 */
export function toChatTools(tools: readonly Block[], { keepsBlocks }: PartsOptions): Block[] {
  return tools.flatMap((tool, at): Block[] => {
    const { type, name, description, input_schema: schema, strict, cache_control: cache } = tool;
    if (typeof type === "string" && type !== "custom") {
      if (keepsBlocks) return [tool];
      // It only finds tools that are not shown at once: here all of them are.
      if (type.startsWith("tool_search_tool")) return [];
      throw cannotSay(
        `tools.${at}`,
        `the tool ${JSON.stringify(type.slice(0, 100))}, which only its provider supports`,
      );
    }
    return [
      {
        type: "function",
        function: {
          name,
          ...(typeof description === "string" && description !== "" ? { description } : {}),
          parameters: isRecord(schema) ? schema : { type: "object", properties: {} },
          ...(strict === true ? { strict } : {}),
        },
        ...(keepsBlocks && isRecord(cache) ? { cache_control: cache } : {}),
      },
    ];
  });
}

/** `tool_choice` with its related fields; empty if there are no tools. */
export function toToolChoice(choice: unknown, hasTools: boolean): Record<string, unknown> {
  if (!hasTools || !isRecord(choice)) return {};
  const { type, name, disable_parallel_tool_use: isAlone } = choice;
  const said = type === "tool" ? { type: "function", function: { name } } : choices[String(type)];
  return {
    ...(said === undefined ? {} : { tool_choice: said }),
    ...(isAlone === true ? { parallel_tool_calls: false } : {}),
  };
}

const choices: Record<string, string> = { auto: "auto", any: "required", none: "none" };
