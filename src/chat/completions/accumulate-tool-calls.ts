import { isRecord, tryParseJson } from "../../lib/json.ts";

/** A whole tool call of the chat-completions dialect; further fields of the upstream (thought signatures) are kept. */
export interface ToolCall {
  id: string;
  type: string;
  function: { name: string; arguments: string; [extra: string]: unknown };
  [extra: string]: unknown;
}

interface Slot {
  index: unknown;
  call: ToolCall;
}

export interface ToolCallList {
  /** One fragment of `delta.tool_calls`, or a whole call of `message.tool_calls`. */
  add(fragment: unknown): void;
  /** A piece of the older `function_call`. */
  addLegacy(fragment: Record<string, unknown>): void;
  list(): ToolCall[];
  legacy(): { name: string; arguments: string } | undefined;
}

function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  // Runtimes that answer whole calls give the arguments as an object.
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : "";
}

/** Whether what comes cannot go on with the call's arguments, which are whole: it is another call, or the same once more. */
function startsAgain(call: ToolCall, args: string): boolean {
  return args.trimStart().startsWith("{") && isRecord(tryParseJson(call.function.arguments));
}

/**
 * Joins fragments of tool calls. They belong together by id, where they have one (some upstreams give all calls the same one:
 * then a name under another index begins another), else by `index`; but a fragment with a new id and a name is a new call even
 * under a used index (Gemini numbers every parallel call 0), one with neither id nor index goes on with the last unless it has
 * another name, and whatever comes with a name after whole arguments is another call, unless it only repeats it.
 */
export function createToolCallList(): ToolCallList {
  const slots: Slot[] = [];
  let legacy: { name: string; arguments: string } | undefined;

  function find(index: unknown, id: string, name: string): Slot | undefined {
    const sameId = id === "" ? [] : slots.filter((slot) => slot.call.id === id);
    if (sameId.length > 0) {
      const here = sameId.findLast((slot) => index === undefined || slot.index === undefined || slot.index === index);
      // Without a name it is no other call.
      return here ?? (name === "" ? sameId.at(-1) : undefined);
    }
    const candidate = index === undefined ? slots.at(-1) : slots.findLast((slot) => slot.index === index);
    if (!candidate) return undefined;
    const startsAnother =
      (id !== "" && candidate.call.id !== "" && (name !== "" || index === undefined)) ||
      (id === "" && index === undefined && name !== "" && name !== candidate.call.function.name);
    return startsAnother ? undefined : candidate;
  }

  function add(fragment: unknown): void {
    if (!isRecord(fragment)) return;
    const { index, id, type, function: fn, ...extra } = fragment;
    const { name, arguments: args, ...functionExtra } = isRecord(fn) ? fn : {};
    const idText = typeof id === "string" ? id : "";
    const nameText = typeof name === "string" ? name : "";
    const argsText = argumentsText(args);
    let slot = find(index ?? undefined, idText, nameText);
    if (slot && nameText !== "" && startsAgain(slot.call, argsText)) {
      if (slot.call.function.arguments === argsText) return;
      slot = undefined;
    }
    if (!slot) {
      slot = { index: index ?? undefined, call: { id: "", type: "function", function: { name: "", arguments: "" } } };
      slots.push(slot);
    }
    const { call } = slot;
    if (call.id === "") call.id = idText;
    if (typeof type === "string" && type !== "") call.type = type;
    // The name comes whole, once; upstreams that repeat it with each fragment must not double it.
    if (call.function.name === "") call.function.name = nameText;
    call.function.arguments += argsText;
    Object.assign(call.function, functionExtra);
    Object.assign(call, extra);
  }

  return {
    add,
    addLegacy: (fragment) => {
      legacy ??= { name: "", arguments: "" };
      if (legacy.name === "" && typeof fragment["name"] === "string") legacy.name = fragment["name"];
      legacy.arguments += argumentsText(fragment["arguments"]);
    },
    list: () => slots.map(({ call }) => ({ ...call, function: { ...call.function } })),
    legacy: () => legacy && { ...legacy },
  };
}
