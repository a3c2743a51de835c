import { isRecord } from "../../lib/json.ts";
import { messageStates } from "../../stored-chats/tables.ts";
import type { StoredMessage } from "./schema.ts";

export type MessageState = (typeof messageStates)[number];

export interface MessageError {
  message: string;
  code: string;
}

/** The changes of a save to one message; undefined fields do not change. */
export interface MessageChange {
  id: string;
  parentId: string | null | undefined;
  childrenIds: string[];
  role: string | undefined;
  content: string | undefined;
  /** Content that is more than text; null: plain text. Undefined exactly when `content` is. */
  parts: Record<string, unknown>[] | null | undefined;
  reasoning: string | undefined;
  model: string | undefined;
  state: MessageState | undefined;
  error: MessageError | null | undefined;
  usage: Record<string, unknown> | undefined;
  /** All other keys; null removes a key. */
  extra: Record<string, unknown>;
  /** Epoch seconds. */
  createdAt: number | undefined;
}

export function readMessage(id: string, stored: StoredMessage): MessageChange {
  const {
    id: _,
    parentId,
    childrenIds,
    role,
    content,
    reasoning,
    timestamp,
    model,
    done,
    state,
    error,
    usage,
    lastItem: _last,
    ...extra
  } = stored;
  const isEnd = messageStates.includes(state as MessageState) && state !== "streaming";
  // A placeholder that waits for its answer. Nothing writes it yet, so it is not `streaming`.
  if (done === false && !isEnd) extra["done"] = false;
  else if (done === true) extra["done"] = null;
  return {
    id,
    parentId,
    childrenIds: childrenIds ?? [],
    role,
    ...readContent(content),
    reasoning,
    model: model ?? undefined,
    state: isEnd ? (state as MessageState) : undefined,
    error: readError(error),
    usage: usage ?? undefined,
    extra,
    createdAt: readTime(timestamp),
  };
}

/** Content as text, and as parts where it is more than text. */
export function readContent(content: StoredMessage["content"]): {
  content: string | undefined;
  parts: Record<string, unknown>[] | null | undefined;
} {
  if (content === undefined || content === null) return { content: undefined, parts: undefined };
  if (typeof content === "string") return { content, parts: null };
  const texts = content.map((part) => part["text"]).filter((text) => typeof text === "string");
  return { content: texts.join("\n"), parts: content };
}

/** Errors come as text, as `{content}` (Open WebUI), as `{message, code}` (this service) or as `true`. */
function readError(error: unknown): MessageError | null | undefined {
  if (error === undefined) return undefined;
  if (error === null || error === false || error === "") return null;
  if (typeof error === "string") return { message: error, code: "error" };
  const text = isRecord(error) ? (error["message"] ?? error["content"] ?? error["detail"]) : undefined;
  const code = isRecord(error) && typeof error["code"] === "string" ? error["code"] : "error";
  return { message: typeof text === "string" ? text : "The answer failed", code };
}

/** Some clients use milliseconds; as seconds such a number would be thousands of years in the future. */
export function readTime(time: number | null | undefined): number | undefined {
  if (time === undefined || time === null || !Number.isFinite(time) || time < 0) return undefined;
  return Math.floor(time > 1e11 ? time / 1000 : time);
}
