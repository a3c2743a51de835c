import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import type { ResponsesRequest } from "./schema.ts";
import type { Item } from "./to-parts.ts";

/** The tools of a request as functions, and what has to be known to say calls of them in the dialect. */
export interface ChatTools {
  tools: Item[];
  /** As they are said again in the answer: those that the model was offered. */
  offered: Item[];
  /** Names of tools that take a text instead of JSON. */
  custom: Set<string>;
  /** Of tools within a namespace, by the name that the model knows: `{namespace, name}`. */
  spaced: Map<string, { namespace: string; name: string }>;
}

/**
 * Tools that clients offer every model and that only OpenAI itself runs. Without them a model answers from what it knows, as models without
 * such tools do; which tools it had is said in the answer.
 */
const leftOut = /^(?:web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?|image_generation|tool_search)$/;

/**
 * Function tools, and those with free text, which become functions of one text.
 * @throws AppError `bad_request` for a tool that only OpenAI has: without it the model would make up what it should have looked up
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
      `${path}: the tool ${JSON.stringify(String(type).slice(0, 100))} is one that only its own provider has`,
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

/** Nothing here holds a model to a grammar: it is told. */
function grammarOf(format: unknown): string {
  if (!isRecord(format) || format["type"] !== "grammar" || typeof format["definition"] !== "string") return "";
  return `The input must fit this ${String(format["syntax"])} grammar:\n${format["definition"]}`;
}

/**
 * `tool_choice` as chat completions say it; nothing where there are no tools to choose from.
 * @throws AppError `bad_request` for a choice of a tool that is not there
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
