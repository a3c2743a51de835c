import { isRecord } from "../../lib/json.ts";

/** A chunk as it came: any object. */
export type Chunk = Record<string, unknown>;

const envelope = new Set([
  "id",
  "object",
  "created",
  "model",
  "system_fingerprint",
  "service_tier",
  "choices",
  "usage",
  "obfuscation",
  "error",
]);

/** Fields of a choice that say nothing by themselves. `message` is what some upstreams repeat as a whole in each chunk. */
const choiceFrame = new Set([
  "index",
  "delta",
  "message",
  "text",
  "finish_reason",
  "native_finish_reason",
  "stop_reason",
  "matched_stop",
  "token_ids",
]);

/** Whether a value says something: not null, false, "", [] or an object of such values. */
function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) ? Object.values(value).some(isFilled) : true;
}

/** Whether the choice carries anything beside a role and a finish reason. */
export function hasContent(choice: Chunk, delta: Chunk): boolean {
  for (const name in delta) {
    if (name !== "role" && isFilled(delta[name])) return true;
  }
  for (const name in choice) {
    if (!choiceFrame.has(name) && isFilled(choice[name])) return true;
  }
  return false;
}

/** Fields of the chunk beside the dialect's own that say something: citations, filter results, timings. */
export function extrasOf(chunk: Chunk): Chunk {
  const extras: Chunk = {};
  for (const name in chunk) {
    if (!envelope.has(name) && isFilled(chunk[name])) extras[name] = chunk[name];
  }
  return extras;
}

/** The delta of a choice; upstreams that answer with `message` or `text` in a stream are brought into the form. */
export function readDelta(choice: Chunk): { delta: Chunk; changed: boolean } {
  const { delta, message, text } = choice;
  if (isRecord(delta)) return { delta, changed: false };
  if (isRecord(message)) delete choice["message"];
  if (typeof text === "string") delete choice["text"];
  const made = isRecord(message) ? { ...message } : typeof text === "string" ? { content: text } : {};
  choice["delta"] = made;
  return { delta: made, changed: true };
}

/** The values that all chunks of a stream share. */
export interface StreamIdentity {
  id: string;
  /** Epoch seconds. */
  created: number;
  model: string;
}

/** Puts the stream's identity into the chunk; tells whether anything had to be changed. */
export function applyIdentity(chunk: Chunk, identity: StreamIdentity): boolean {
  const { id, created, model } = identity;
  if (
    chunk["id"] === id &&
    chunk["created"] === created &&
    chunk["model"] === model &&
    chunk["object"] === "chat.completion.chunk"
  ) {
    return false;
  }
  chunk["id"] = id;
  chunk["object"] = "chat.completion.chunk";
  chunk["created"] = created;
  chunk["model"] = model;
  return true;
}

/** Whole epoch seconds, where the upstream gave any. */
export function readCreated(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : undefined;
}
