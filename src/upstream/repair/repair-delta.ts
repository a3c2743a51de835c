import { isRecord } from "../../lib/json.ts";
import type { ReasoningField } from "../answers/accumulate-reply.ts";
import type { Chunk } from "../chunks/chunk-shape.ts";
import { readContentParts } from "../chunks/read-content-parts.ts";
import { newCallId } from "./call-ids.ts";
import { geminiTag, type ReasoningTag } from "./reasoning-tags.ts";
import { createToolCallRepair } from "./repair-tool-calls.ts";
import { createThoughtSplitter, type TextPiece } from "./split-thoughts.ts";

export interface DeltaRepairOptions {
  /** Tags around reasoning; if omitted, tags stay in the text. */
  reasoningTags?: readonly ReasoningTag[] | undefined;
  /** The name of the request's only tool, for calls that come without one. */
  onlyTool?: string | undefined;
  /** Called when the upstream is seen to have its thoughts in this field. */
  onReasoningField?: ((field: ReasoningField) => void) | undefined;
}

/** Repairs the deltas of one choice, piece by piece. */
export interface DeltaRepair {
  /**
   * Converts a delta to the dialect, in place.
   * @returns `before`: deltas to send first, if reasoning and text alternate within this one
   */
  add(delta: Chunk): { isChanged: boolean; before: Chunk[] };
  /** Held text. */
  rest(): Chunk | undefined;
  /** What else is missing at the end: see `ToolCallRepair.end`. */
  end(isCut: boolean): Chunk | undefined;
  /** Whether the choice calls tools. */
  isCalling(): boolean;
  /** Whether texts go through as they are from now on. */
  isSettled(): boolean;
}

/**
 * Converts the deltas of a choice to the dialect: reasoning in `reasoning_content`, wherever the upstream has it
 * (`reasoning`, `reasoning_details`, parts of the content, between tags), text in `content`, calls as in
 * `repair-tool-calls.ts`.
 */
export function createDeltaRepair(options: DeltaRepairOptions): DeltaRepair {
  const { reasoningTags = [], onlyTool, onReasoningField } = options;
  const texts = createThoughtSplitter(reasoningTags);
  const calls = createToolCallRepair({ newCallId, onlyTool });
  const knowsTags = reasoningTags.length > 0;
  let isTold = false;

  /** It has the same one all along. */
  function tellField(delta: Chunk): void {
    const field = reasoningFields.find((name) => textOf(delta[name]) !== "");
    isTold ||= field !== undefined;
    if (field !== undefined) onReasoningField?.(field);
  }

  return {
    add(delta) {
      if (!isTold) tellField(delta);
      let isChanged = openParts(delta);
      if (nameReasoning(delta)) isChanged = true;
      if (knowsTags && saysThought(delta)) texts.know(geminiTag);
      let before: Chunk[] = [];
      const { content, tool_calls: given } = delta;
      if (typeof content === "string" && content !== "" && !texts.isSettled()) {
        const pieces = texts.add(content);
        const [only] = pieces;
        if (pieces.length !== 1 || only!.isThought || only!.text !== content) {
          isChanged = true;
          before = spread(pieces, delta);
        }
      }
      if (Array.isArray(given) || isRecord(given)) {
        const repaired = calls.add(given);
        if (repaired.isChanged) {
          isChanged = true;
          if (repaired.pieces.length > 0) delta["tool_calls"] = repaired.pieces;
          else delete delta["tool_calls"];
        }
      }
      return { isChanged, before };
    },
    rest() {
      const delta: Chunk = {};
      for (const { isThought, text } of texts.end()) delta[isThought ? "reasoning_content" : "content"] = text;
      return Object.keys(delta).length > 0 ? delta : undefined;
    },
    end(isCut) {
      const pieces = calls.end(isCut);
      return pieces.length > 0 ? { tool_calls: pieces } : undefined;
    },
    isCalling() {
      return calls.count() > 0;
    },
    isSettled() {
      return texts.isSettled();
    },
  };
}

const reasoningFields = ["reasoning_content", "reasoning"] as const;

/** Splits a content list into text and reasoning. Other parts stay beside it. */
function openParts(delta: Chunk): boolean {
  const { content } = delta;
  if (!Array.isArray(content)) return false;
  const { text, thinking, others } = readContentParts(content);
  delta["content"] = text;
  if (thinking !== "") delta["reasoning_content"] = textOf(delta["reasoning_content"]) + thinking;
  if (others.length > 0) delta["content_parts"] = others;
  return true;
}

/** Some say the same thought in several fields. */
function nameReasoning(delta: Chunk): boolean {
  const { reasoning, reasoning_content: own, reasoning_details: details } = delta;
  const other = textOf(reasoning);
  if (textOf(own) !== "") {
    if (other !== "") delete delta["reasoning"];
    return other !== "";
  }
  const thought = other !== "" ? other : Array.isArray(details) ? detailsText(details) : "";
  if (thought === "") return false;
  delete delta["reasoning"];
  delta["reasoning_content"] = thought;
  return true;
}

/** `reasoning_details` as OpenRouter has them; what is encrypted has no text. */
function detailsText(details: unknown[]): string {
  return details
    .filter(isRecord)
    .map((detail) => textOf(detail["text"]) || textOf(detail["summary"]))
    .join("");
}

/** Gemini says beside a text that it is a thought. */
function saysThought({ extra_content: extra }: Chunk): boolean {
  return isRecord(extra) && isRecord(extra["google"]) && extra["google"]["thought"] === true;
}

/** Puts the last thought and the last text into the delta; those that stand before them are given as deltas of their own. */
function spread(pieces: TextPiece[], delta: Chunk): Chunk[] {
  const own = textOf(delta["reasoning_content"]);
  const list = own === "" ? pieces : [{ isThought: true, text: own }, ...pieces];
  const deltas: Chunk[] = [];
  for (const { isThought, text } of list) {
    let last = deltas.at(-1);
    // A thought goes before a text in one delta: clients read them in this order.
    if (!last || "content" in last) deltas.push((last = {}));
    const name = isThought ? "reasoning_content" : "content";
    last[name] = textOf(last[name]) + text;
  }
  delta["content"] = "";
  delete delta["reasoning_content"];
  Object.assign(delta, deltas.pop());
  return deltas;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
