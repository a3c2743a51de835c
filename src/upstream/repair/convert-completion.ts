import { isRecord } from "../../lib/json.ts";
import { type Chunk, readCreated } from "../chunks/chunk-shape.ts";
import { finishReason } from "../chunks/finish-reason.ts";
import type { DeltaRepairOptions } from "./repair-delta.ts";
import { repairMessage } from "./repair-message.ts";

export interface CompletionDefaults extends DeltaRepairOptions {
  model: string;
  /** Epoch seconds. */
  now: () => number;
  newId: () => string;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function readMessage(choice: Chunk): Chunk {
  const { message, delta, text } = choice;
  if (isRecord(message)) return message;
  if (isRecord(delta)) return delta;
  return typeof text === "string" ? { content: text } : {};
}

function reasonOf(choice: Chunk, message: Chunk): string {
  const { tool_calls: calls } = message;
  const isCalling = Array.isArray(calls) && calls.length > 0;
  return finishReason(isText(choice["finish_reason"]) ? choice["finish_reason"] : "stop", isCalling);
}

/**
 * A completion with what clients rely on: object, id, created, model; in each choice an index, a message with role and
 * content, and a finish reason (a whole body proves that the answer is complete); its message repaired as in
 * `repair-delta.ts`. Changes the value in place and only where something is missing.
 * @returns whether anything changed; undefined if the value has no choice and so is not a completion
 */
export function repairCompletion(completion: Chunk, defaults: CompletionDefaults): boolean | undefined {
  const { choices } = completion;
  const found = Array.isArray(choices) ? choices.filter(isRecord) : [];
  if (!Array.isArray(choices) || found.length === 0) return undefined;
  let changed = found.length !== choices.length;
  const set = (target: Chunk, name: string, value: unknown): void => {
    if (target[name] === value) return;
    target[name] = value;
    changed = true;
  };

  set(completion, "id", isText(completion["id"]) ? completion["id"] : `chatcmpl-${defaults.newId()}`);
  set(completion, "object", "chat.completion");
  set(completion, "created", readCreated(completion["created"]) ?? defaults.now());
  set(completion, "model", isText(completion["model"]) ? completion["model"] : defaults.model);
  for (const [position, choice] of found.entries()) {
    const { index } = choice;
    set(choice, "index", typeof index === "number" && Number.isInteger(index) && index >= 0 ? index : position);
    const message = readMessage(choice);
    set(choice, "message", message);
    set(message, "role", "assistant");
    if (repairMessage(message, defaults, reasonOf(choice, message) === "length")) changed = true;
    if (message["content"] === undefined) set(message, "content", null);
    set(choice, "finish_reason", reasonOf(choice, message));
  }
  if (changed) completion["choices"] = found;
  return changed;
}

/** Thoughts are shown before the answer, so they are sent in an earlier chunk. */
const reasoningFields = new Set(["reasoning_content", "reasoning", "reasoning_details"]);

/**
 * The chunks of a stream equivalent to the completion: for each choice one with role and reasoning, one with the rest
 * of the message, one with the finish reason; then one with the usage. Tool calls get their index. The stream repair
 * adds what every stream needs.
 */
export function chunksOfCompletion(completion: Chunk): Chunk[] {
  const { choices, usage, object: _object, ...shared } = completion;
  const { id, created, model, system_fingerprint: fingerprint } = shared;
  const frame: Chunk = { id, object: "chat.completion.chunk", created, model };
  if (fingerprint !== undefined) frame["system_fingerprint"] = fingerprint;
  const chunks: Chunk[] = [];
  const found = Array.isArray(choices) ? choices.filter(isRecord) : [];
  for (const [position, choice] of found.entries()) {
    const {
      index = position,
      message: _message,
      delta: _delta,
      text: _text,
      finish_reason: _reason,
      ...beside
    } = choice;
    const message = readMessage(choice);
    const rest: Chunk = {};
    const reasoning: Chunk = {};
    for (const [name, value] of Object.entries(message)) {
      if (value === null || name === "role") continue;
      (reasoningFields.has(name) ? reasoning : rest)[name] = value;
    }
    if (Array.isArray(rest["tool_calls"])) {
      rest["tool_calls"] = rest["tool_calls"].map((call, at) => (isRecord(call) ? { index: at, ...call } : call));
    }
    const opening = { ...frame, ...(position === 0 ? shared : {}) };
    const hasReasoning = Object.keys(reasoning).length > 0;
    const start: Chunk = hasReasoning
      ? { role: "assistant", ...reasoning }
      : { role: "assistant", content: "", ...rest };
    chunks.push({
      ...opening,
      choices: [{ index, delta: start, ...(hasReasoning ? {} : beside), finish_reason: null }],
    });
    if (hasReasoning) chunks.push({ ...frame, choices: [{ index, delta: rest, ...beside, finish_reason: null }] });
    chunks.push({ ...frame, choices: [{ index, delta: {}, finish_reason: reasonOf(choice, message) }] });
  }
  if (isRecord(usage)) chunks.push({ ...frame, choices: [], usage });
  return chunks;
}
