import { isRecord } from "../../lib/json.ts";
import type { Chunk } from "../chunks/chunk-shape.ts";
import { createCallFinder, type KnownCall } from "./find-call.ts";

export interface ToolCallRepairOptions {
  /** Makes the id of a call that has none, or one that another call has too. */
  newCallId: () => string;
  /** The name for calls that never get one; known if the request has a single tool. */
  onlyTool?: string | undefined;
}

/** The tool calls of one choice on their way to the caller. */
export interface ToolCallRepair {
  /**
   * `tool_calls` of a delta: fragments in a list, or a single one.
   * @returns what to send, and whether it changed
   */
  add(given: unknown): { pieces: Chunk[]; isChanged: boolean };
  /**
   * What is missing at the end of the answer: names that never arrived, and empty arguments.
   * @param isCut the answer was truncated: its calls are not completed
   */
  end(isCut: boolean): Chunk[];
  /** How many calls there are. */
  count(): number;
}

/** Maximum number of calls in one answer; more are dropped. */
const maxCalls = 256;
const unknownName = "unknown";

/**
 * Converts fragments of tool calls to the form that clients join by `index` alone: indices without gaps in order of
 * beginning; first index, id, type, name and arguments; then only index and arguments, always text; each id once.
 */
export function createToolCallRepair({ newCallId, onlyTool }: ToolCallRepairOptions): ToolCallRepair {
  const finder = createCallFinder(maxCalls);
  const ids = new Set<string>();

  function idFor(given: string): string {
    let id = given;
    while (id === "" || ids.has(id)) id = newCallId();
    ids.add(id);
    return id;
  }

  /** The first piece of a call, with all that has come of it. */
  function open(call: KnownCall, { type, function: fn, ...extra }: Chunk): Chunk {
    call.isOpen = true;
    const made = { ...(isRecord(fn) ? fn : {}), name: call.name, arguments: call.arguments };
    const kind = typeof type === "string" && type !== "" ? type : "function";
    return { ...extra, index: call.position, id: idFor(call.id), type: kind, function: made };
  }

  function repairOne(fragment: unknown, taken: Set<KnownCall>): { piece: Chunk | undefined; isChanged: boolean } {
    if (!isRecord(fragment)) return { piece: undefined, isChanged: true };
    const { index, id, type, function: fn, ...extra } = fragment;
    const { name, arguments: args, ...beside } = isRecord(fn) ? fn : {};
    const found = finder.find(
      { index: index ?? undefined, id: textOf(id), name: textOf(name), args: argumentsText(args) },
      taken,
    );
    if (!found) return { piece: undefined, isChanged: true };
    const { call, added } = found;
    if (!call.isOpen) {
      // Clients need the name in the first piece they get.
      if (call.name === "" && call.arguments.length < maxNamelessLength) return { piece: undefined, isChanged: true };
      call.name ||= onlyTool ?? unknownName;
      const piece = open(call, fragment);
      const isSame = index === call.position && id === piece["id"] && type === piece["type"] && name === call.name;
      return { piece, isChanged: !isSame || args !== call.arguments };
    }
    if (added === "" && Object.keys(extra).length + Object.keys(beside).length === 0)
      return { piece: undefined, isChanged: true };
    const isSame = index === call.position && id === undefined && type === undefined && name === undefined;
    return {
      piece: { index: call.position, function: { arguments: added, ...beside }, ...extra },
      isChanged: !isSame || args !== added,
    };
  }

  return {
    add(given) {
      const list = Array.isArray(given) ? (given as unknown[]) : [given];
      const taken = new Set<KnownCall>();
      const made = list.map((fragment) => repairOne(fragment, taken));
      return {
        pieces: made.map(({ piece }) => piece).filter((piece) => piece !== undefined),
        isChanged: !Array.isArray(given) || made.some(({ isChanged }) => isChanged),
      };
    },
    end(isCut) {
      return finder.calls.flatMap((call) => {
        const isEmpty = !isCut && call.arguments.trim() === "";
        if (isEmpty) call.arguments = "{}";
        if (call.isOpen) return isEmpty ? [{ index: call.position, function: { arguments: "{}" } }] : [];
        call.name ||= onlyTool ?? unknownName;
        return [open(call, {})];
      });
    },
    count() {
      return finder.calls.length;
    },
  };
}

/** How much of the arguments is waited with for a name. */
const maxNamelessLength = 65_536;

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Some servers give the arguments as the object that they stand for. */
function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : "";
}
