import { isRecord } from "../../lib/json.ts";

/** An unchecked chunk: any object. */
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

/** Fields of a choice without information of their own. Some upstreams repeat the whole `message` in each chunk. */
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

/** Whether a value is not empty: not null, false, "", [] or an object of such values. */
function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) ? Object.values(value).some(isFilled) : true;
}

/** Whether the choice has anything besides a role and a finish reason. */
export function hasContent(choice: Chunk, delta: Chunk): boolean {
  for (const name in delta) {
    if (name !== "role" && isFilled(delta[name])) return true;
  }
  for (const name in choice) {
    if (!choiceFrame.has(name) && isFilled(choice[name])) return true;
  }
  return false;
}

/** Non-empty fields of the chunk outside the dialect: citations, filter results, timings. */
export function extrasOf(chunk: Chunk): Chunk {
  const extras: Chunk = {};
  for (const name in chunk) {
    if (!envelope.has(name) && isFilled(chunk[name])) extras[name] = chunk[name];
  }
  return extras;
}

/** The delta of a choice; `message` or `text` in a stream is converted. */
export function readDelta(choice: Chunk): { delta: Chunk; changed: boolean } {
  const { delta, message, text } = choice;
  if (isRecord(delta)) return { delta, changed: false };
  if (isRecord(message)) delete choice["message"];
  if (typeof text === "string") delete choice["text"];
  const made = isRecord(message) ? { ...message } : typeof text === "string" ? { content: text } : {};
  choice["delta"] = made;
  return { delta: made, changed: true };
}

/** The values shared by all chunks of a stream. */
export interface StreamIdentity {
  id: string;
  /** Epoch seconds. */
  created: number;
  model: string;
}

/** Sets the stream's identity in the chunk; returns whether anything changed. */
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

/** Whole epoch seconds, if the upstream sent any. */
export function readCreated(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : undefined;
}
