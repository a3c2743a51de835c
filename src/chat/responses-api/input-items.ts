import { isRecord } from "../../lib/json.ts";
import { itemId, type ItemPrefix } from "./item-ids.ts";
import type { ResponsesRequest } from "./schema.ts";
import type { Item } from "./to-parts.ts";

/** The input as items: a plain text is a user message. */
export function itemsOf(input: ResponsesRequest["input"]): Item[] {
  if (typeof input !== "string") return input ?? [];
  return [{ type: "message", role: "user", content: [{ type: "input_text", text: input }] }];
}

const prefixes: Record<string, ItemPrefix> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  custom_tool_call: "ctc",
  function_call_output: "fco",
};

/** The items as they are stored and listed: each with a type and an id. */
export function namedItems(items: readonly Item[], responseId: string): Item[] {
  return items.map((item, place) => {
    const type = typeof item["type"] === "string" ? item["type"] : "message";
    const { content } = item;
    const parts = type === "message" && typeof content === "string" ? textPart(item["role"], content) : content;
    return {
      ...item,
      type,
      id: itemId(prefixes[type] ?? "item", responseId, "input", place),
      ...(parts === undefined ? {} : { content: parts }),
      ...(type === "message" ? { status: "completed" } : {}),
    };
  });
}

function textPart(role: unknown, text: string): Item[] {
  return [role === "assistant" ? { type: "output_text", text, annotations: [] } : { type: "input_text", text }];
}

/** The size of the value, in UTF-16 units of its texts plus overhead: about the length of its JSON. */
export function weightOf(value: unknown): number {
  if (typeof value === "string") return value.length + 3;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + weightOf(each), 2);
  if (!isRecord(value)) return 6;
  let weight = 2;
  for (const name in value) weight += name.length + 4 + weightOf(value[name]);
  return weight;
}
