import { isRecord } from "../../../lib/json.ts";

type Tool = Record<string, unknown>;

/**
 * Function tools in the dialect's format; tools that already have it (those that the provider runs itself) are passed
 * on. With `allowed_tools`, only the allowed ones are included.
 */
export function toTools(tools: unknown, choice: unknown): Tool[] {
  if (!Array.isArray(tools)) return [];
  const allowed = allowedNames(choice);
  const all = tools.filter(isRecord).map((tool) => {
    const { type, function: fn, cache_control: cache } = tool;
    if (type !== "function" || !isRecord(fn)) return tool;
    const { name, description, parameters } = fn;
    return {
      name,
      ...(typeof description === "string" && description !== "" ? { description } : {}),
      input_schema: isRecord(parameters) ? { type: "object", ...parameters } : { type: "object", properties: {} },
      ...(cache ? { cache_control: cache } : {}),
    };
  });
  return allowed ? all.filter((tool) => allowed.has(tool["name"])) : all;
}

/** `tool_choice` and `parallel_tool_calls`; undefined if neither is set. */
export function toToolChoice(choice: unknown, parallel: unknown): Record<string, unknown> | undefined {
  const alone = parallel === false ? { disable_parallel_tool_use: true } : {};
  const made = choiceOf(choice);
  if (made?.["type"] === "none") return made;
  if (made) return { ...made, ...alone };
  return parallel === false ? { type: "auto", ...alone } : undefined;
}

function choiceOf(choice: unknown): Record<string, unknown> | undefined {
  if (choice === "auto" || choice === "none") return { type: choice };
  if (choice === "required") return { type: "any" };
  if (!isRecord(choice)) return undefined;
  const { type, function: fn, allowed_tools: allowed } = choice;
  if (type === "function" && isRecord(fn)) return { type: "tool", name: fn["name"] };
  if (type === "allowed_tools" && isRecord(allowed)) return { type: allowed["mode"] === "required" ? "any" : "auto" };
  return undefined;
}

function allowedNames(choice: unknown): Set<unknown> | undefined {
  if (!isRecord(choice) || choice["type"] !== "allowed_tools" || !isRecord(choice["allowed_tools"])) return undefined;
  const { tools } = choice["allowed_tools"];
  if (!Array.isArray(tools)) return undefined;
  return new Set(tools.filter(isRecord).map(({ function: fn, name }) => (isRecord(fn) ? fn["name"] : name)));
}
