import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import type { ResponsesRequest } from "./schema.ts";
import type { Item } from "./to-parts.ts";

/** The tools of a request as functions, and what is needed to convert their calls back. */
export interface ChatTools {
  tools: Item[];
  /** As repeated in the answer: the tools that the model was offered. */
  offered: Item[];
  /** Names of tools that take a text instead of JSON. */
  custom: Set<string>;
  /** Tools within a namespace, by the name for the model: `{namespace, name}`. */
  spaced: Map<string, { namespace: string; name: string }>;
}

/**
 * Tools that clients offer to every model and that only OpenAI runs. Without them a model answers from its own
 * knowledge; the answer lists the tools that it had.
 */
const leftOut = /^(?:web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?|image_generation|tool_search)$/;

/**
 * Function tools, and tools with free text, which become functions with one text.
 * @throws AppError `bad_request` for a tool that only OpenAI has: without it the model would invent the result
 */
export function toChatTools(tools: ResponsesRequest["tools"]): ChatTools {
  const made: ChatTools = { tools: [], offered: [], custom: new Set(), spaced: new Map() };
  for (const [at, tool] of (tools ?? []).entries()) {
    const { type } = tool;
    if (leftOut.test(type)) continue;
    if (type === "namespace") addNamespace(made, tool, at);
    else addTool(made, tool, `tools.${at}`);
    made.offered.push(tool);
  }
  return made;
}

function addNamespace(made: ChatTools, { name: namespace, tools }: Item, at: number): void {
  for (const [position, tool] of (Array.isArray(tools) ? tools.filter(isRecord) : []).entries()) {
    const path = `tools.${at}.tools.${position}`;
    const name = nameOf(tool, path);
    const whole = `${String(namespace)}__${name}`;
    made.spaced.set(whole, { namespace: String(namespace), name });
    addTool(made, { ...tool, name: whole }, path);
  }
}

function addTool(made: ChatTools, tool: Item, path: string): void {
  const { type, description, parameters, strict, format } = tool;
  if (type !== "function" && type !== "custom")
    throw new AppError(
      "bad_request",
      `${path}: the tool ${JSON.stringify(String(type).slice(0, 100))} is supported only by its own provider`,
      { param: path },
    );
  const name = nameOf(tool, path);
  const about = typeof description === "string" ? description : "";
  if (type === "custom") {
    made.custom.add(name);
    const text = { type: "string", description: "The whole input, as plain text." };
    const schema = { type: "object", properties: { input: text }, required: ["input"], additionalProperties: false };
    const described = [about, grammarOf(format)].filter((each) => each !== "").join("\n\n");
    made.tools.push(
      functionTool({ name, ...(described === "" ? {} : { description: described }), parameters: schema }),
    );
    return;
  }
  made.tools.push(
    functionTool({
      name,
      ...(about === "" ? {} : { description: about }),
      parameters: isRecord(parameters) ? parameters : { type: "object", properties: {} },
      ...(typeof strict === "boolean" ? { strict } : {}),
    }),
  );
}

function nameOf({ name }: Item, path: string): string {
  if (typeof name === "string" && name !== "") return name;
  throw new AppError("bad_request", `${path}.name: Required`, { param: `${path}.name` });
}

function functionTool(fn: Item): Item {
  return { type: "function", function: fn };
}

/** Grammars are not enforced: the model only gets a description. */
function grammarOf(format: unknown): string {
  if (!isRecord(format) || format["type"] !== "grammar" || typeof format["definition"] !== "string") return "";
  return `The input must match this ${String(format["syntax"])} grammar:\n${format["definition"]}`;
}

/**
 * `tool_choice` for chat completions; empty if there are no tools.
 * @throws AppError `bad_request` for an unknown tool
 */
export function toToolChoice(choice: ResponsesRequest["tool_choice"], { tools }: ChatTools): Item {
  if (choice === undefined || choice === null) return {};
  if (typeof choice === "string") {
    if (choice !== "auto" && choice !== "none" && choice !== "required") throw unknownChoice(choice);
    return tools.length > 0 ? { tool_choice: choice } : {};
  }
  const { type, name, mode, tools: allowed } = choice;
  if (type === "function" || type === "custom") return { tool_choice: { type: "function", function: { name } } };
  if (type !== "allowed_tools") throw unknownChoice(type);
  // Few providers know this choice: the model is offered the allowed ones only, and told whether it must.
  const names = new Set((Array.isArray(allowed) ? allowed.filter(isRecord) : []).map((tool) => tool["name"]));
  const kept = tools.filter(({ function: fn }) => isRecord(fn) && names.has(fn["name"]));
  if (kept.length === 0) return { tools: undefined };
  return { tools: kept, tool_choice: mode === "required" ? "required" : "auto" };
}

function unknownChoice(choice: string): AppError {
  return new AppError("bad_request", `tool_choice: ${JSON.stringify(choice)} cannot be chosen here`, {
    param: "tool_choice",
  });
}
