import type { LiveEvent } from "../../../shared/live-protocol.ts";
import type { LiveRun } from "../../lib/live/live-state.ts";
import { isRecord, textField } from "../../lib/live/live-state.ts";
import type { Message, MessageState } from "./message-tree.ts";
import { readError } from "./read-history.ts";

/** What an event that ends an answer says about its message; undefined for every other event. */
export function readEnding(event: LiveEvent, ended: LiveRun | undefined): Partial<Message> | undefined {
  const { type, data } = event.data;
  if (type === "chat:message:error") {
    const error = readError(isRecord(data) ? data["error"] : undefined) ?? { message: "" };
    return { ...textOf(ended), state: "error", done: true, error };
  }
  if (type !== "chat:completion" || !isRecord(data) || data["done"] !== true) return undefined;
  const error = readError(data["error"]);
  const reasoning = textField(data, "reasoning");
  return {
    ...textOf(ended),
    ...(typeof data["content"] === "string" ? { content: data["content"] } : {}),
    ...(reasoning ? { reasoning } : {}),
    ...(isRecord(data["usage"]) ? { usage: data["usage"] } : {}),
    ...(typeof data["duration"] === "number" ? { duration: data["duration"] } : {}),
    ...(typeof data["reasoning_duration"] === "number" ? { reasoningDuration: data["reasoning_duration"] } : {}),
    finishReason: textField(data, "finish_reason") || undefined,
    state: readState(data["state"]) ?? (error ? "error" : "done"),
    done: true,
    error,
  };
}

function textOf(run: LiveRun | undefined): Partial<Message> {
  return run ? { content: run.content, ...(run.reasoning ? { reasoning: run.reasoning } : {}) } : {};
}

function readState(value: unknown): MessageState | undefined {
  return value === "done" || value === "stopped" || value === "interrupted" || value === "error" ? value : undefined;
}
