import { isRecord } from "../../lib/json.ts";

/** A complete tool call of the chat-completions dialect; further fields (thought signatures) are kept. */
export interface ToolCall {
  id: string;
  type: string;
  function: { name: string; arguments: string; [extra: string]: unknown };
  [extra: string]: unknown;
}

export interface ToolCallList {
  /** One fragment of `delta.tool_calls` as `repair-tool-calls.ts` has them, or a whole call of `message.tool_calls`. */
  add(fragment: unknown): void;
  /** A piece of the older `function_call`. */
  addLegacy(fragment: Record<string, unknown>): void;
  list(): ToolCall[];
  legacy(): { name: string; arguments: string } | undefined;
}

/** Joins fragments of tool calls by their index; a fragment without one is a separate call. */
export function createToolCallList(): ToolCallList {
  const calls = new Map<unknown, ToolCall>();
  let legacy: { name: string; arguments: string } | undefined;

  function add(fragment: unknown): void {
    if (!isRecord(fragment)) return;
    const { index, id, type, function: fn, ...extra } = fragment;
    const { name, arguments: args, ...functionExtra } = isRecord(fn) ? fn : {};
    const key = index ?? {};
    const call = calls.get(key) ?? { id: "", type: "function", function: { name: "", arguments: "" } };
    calls.set(key, call);
    if (typeof id === "string") call.id ||= id;
    if (typeof type === "string" && type !== "") call.type = type;
    if (typeof name === "string") call.function.name ||= name;
    if (typeof args === "string") call.function.arguments += args;
    Object.assign(call.function, functionExtra);
    Object.assign(call, extra);
  }

  return {
    add,
    addLegacy: (fragment) => {
      legacy ??= { name: "", arguments: "" };
      if (legacy.name === "" && typeof fragment["name"] === "string") legacy.name = fragment["name"];
      if (typeof fragment["arguments"] === "string") legacy.arguments += fragment["arguments"];
    },
    list: () => Array.from(calls.values(), (call) => ({ ...call, function: { ...call.function } })),
    legacy: () => legacy && { ...legacy },
  };
}
