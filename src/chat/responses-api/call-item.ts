import { createJsonEnd } from "../../lib/json-end.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { addItem, endItem, type ItemPlace, type ItemState, type OutputItem } from "./output-items.ts";
import type { Item } from "./to-parts.ts";

export interface CallItem extends OutputItem {
  kind: "call";
  pass(args: string): void;
  /** Whether its arguments are complete JSON. */
  isWhole(): boolean;
}

export interface CallOptions {
  callId: string;
  name: string;
  /** Of a tool within one. */
  namespace?: string | undefined;
  /** The tool takes plain text: the model's JSON is converted to that text when it is complete. */
  isCustom: boolean;
}

/** A call of one of the client's tools. */
export function createCallItem(place: ItemPlace, { callId, name, namespace, isCustom }: CallOptions): CallItem {
  const { writer, id } = place;
  const end = createJsonEnd();
  let args = "";
  let state = "in_progress";
  const common = addItem(place, item());

  function item(): Item {
    const named = { call_id: callId, name, ...(namespace === undefined ? {} : { namespace }), status: state };
    if (isCustom) return { id, type: "custom_tool_call", ...named, input: inputOf(args) };
    // A tool that is called with nothing: an empty text is no JSON.
    return { id, type: "function_call", ...named, arguments: args === "" && state === "completed" ? "{}" : args };
  }

  return {
    kind: "call",
    pass(piece) {
      if (piece === "") return;
      end.add(piece);
      args += piece;
      if (!isCustom)
        writer.delta("response.function_call_arguments.delta", `${common},"delta":${JSON.stringify(piece)}`);
    },
    isWhole() {
      return end.isWhole();
    },
    item,
    close(ended: ItemState) {
      state = ended;
      const done = item();
      if (isCustom) {
        const input = JSON.stringify(done["input"]);
        writer.delta("response.custom_tool_call_input.delta", `${common},"delta":${input}`);
        writer.delta("response.custom_tool_call_input.done", `${common},"input":${input}`);
      } else {
        const said = JSON.stringify(done["arguments"]);
        if (args === "" && ended === "completed")
          writer.delta("response.function_call_arguments.delta", `${common},"delta":${said}`);
        writer.delta(
          "response.function_call_arguments.done",
          `${common},"name":${JSON.stringify(name)},"arguments":${said}`,
        );
      }
      endItem(place, done);
    },
  };
}

/** The text in `{"input": "..."}`; if a model omits the object, its output is the text itself. */
function inputOf(args: string): string {
  const value = tryParseJson(args);
  if (typeof value === "string") return value;
  return isRecord(value) && typeof value["input"] === "string" ? value["input"] : args;
}
