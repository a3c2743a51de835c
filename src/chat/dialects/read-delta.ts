import { isRecord } from "../../lib/json.ts";
import { readContentParts } from "../../upstream/chunks/read-content-parts.ts";

/** A piece of one tool call. */
export interface CallPiece {
  /** Identifies the call within the answer. */
  key: unknown;
  id: string | undefined;
  /** Usually empty in all pieces except the first. */
  name: string;
  arguments: string;
}

/** Takes the pieces of an answer. Texts are never empty. */
export interface DeltaSink {
  think(text: string): void;
  /** A complete thought with its provider's signature, from providers with a Messages API. */
  mark(thought: Record<string, unknown>): void;
  say(text: string): void;
  refuse(text: string): void;
  call(piece: CallPiece): void;
}

/** Reports the pieces of a chat-completions delta in their logical order. */
export function readDelta(delta: Record<string, unknown>, sink: DeltaSink): void {
  const { content, refusal, reasoning_content: reasoning, reasoning: other, tool_calls: calls } = delta;
  // Some upstreams send the same thought in both fields.
  const thought = typeof reasoning === "string" && reasoning !== "" ? reasoning : other;
  if (isText(thought)) sink.think(thought);
  if (Array.isArray(delta["thinking_blocks"])) delta["thinking_blocks"].filter(isRecord).forEach(sink.mark);
  if (isText(content)) sink.say(content);
  else if (Array.isArray(content)) {
    const parts = readContentParts(content);
    if (parts.thinking !== "") sink.think(parts.thinking);
    if (parts.text !== "") sink.say(parts.text);
  }
  if (isText(refusal)) sink.refuse(refusal);
  if (Array.isArray(calls)) calls.forEach((call, position) => sink.call(pieceOf(call, position)));
  if (isRecord(delta["function_call"])) sink.call(pieceOf({ index: "function", function: delta["function_call"] }, 0));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function pieceOf(call: unknown, position: number): CallPiece {
  const { index, id, function: fn } = isRecord(call) ? call : {};
  const { name, arguments: args } = isRecord(fn) ? fn : {};
  return {
    key: index ?? position,
    id: isText(id) ? id : undefined,
    name: typeof name === "string" ? name : "",
    arguments: typeof args === "string" ? args : isRecord(args) ? JSON.stringify(args) : "",
  };
}
