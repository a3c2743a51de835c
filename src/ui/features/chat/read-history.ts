import { isRecord, textField } from "../../lib/live/live-state.ts";
import { closeStatuses, listOf, type MessageItems, readItems } from "./items/message-items.ts";
import { emptyHistory, type History, type Message, type MessageState, soundHistory } from "./message-tree.ts";
import { readRating } from "./rating/rating.ts";

const states: readonly string[] = ["streaming", "done", "stopped", "interrupted", "error"] satisfies MessageState[];

/** Reads the `history` of a stored chat. Other clients of the API store messages of many shapes: all of them become readable. */
export function readHistory(stored: unknown): History {
  if (!isRecord(stored) || !isRecord(stored["messages"])) return emptyHistory;
  const messages: Record<string, Message> = {};
  for (const [id, message] of Object.entries(stored["messages"]))
    if (isRecord(message)) messages[id] = readMessage(id, message);
  const currentId = typeof stored["currentId"] === "string" ? stored["currentId"] : null;
  return soundHistory({ currentId, messages });
}

function readMessage(id: string, stored: Record<string, unknown>): Message {
  const { role, state, timestamp, childrenIds, parentId } = stored;
  const model = textField(stored, "model");
  const modelName = textField(stored, "modelName");
  const reasoning = textField(stored, "reasoning");
  const summary = textField(stored, "contextSummary");
  const finishReason = textField(stored, "finish_reason");
  const models = [...new Set(listOf(stored["models"]).filter((id) => typeof id === "string"))];
  const turnModel = textField(stored, "turnModel");
  const rating = readRating(stored);
  const items = itemKeys.some((key) => stored[key]) ? readItems(stored) : undefined;
  return {
    id,
    parentId: typeof parentId === "string" ? parentId : null,
    childrenIds: Array.isArray(childrenIds) ? childrenIds.filter((child) => typeof child === "string") : [],
    role: role === "assistant" || role === "system" ? role : "user",
    content: readContent(stored["content"]),
    timestamp: typeof timestamp === "number" ? timestamp : 0,
    state: typeof state === "string" && states.includes(state) ? (state as MessageState) : "done",
    error: readError(stored["error"]),
    ...(model ? { model } : {}),
    ...(modelName ? { modelName } : {}),
    ...(reasoning ? { reasoning } : {}),
    ...(models.length > 1 || (turnModel && models.length > 0) ? { models } : {}),
    ...(turnModel ? { turnModel } : {}),
    ...(finishReason ? { finishReason } : {}),
    ...(summary.trim() ? { summary } : {}),
    ...readEdited(stored["edited"]),
    ...(isRecord(stored["usage"]) ? { usage: stored["usage"] } : {}),
    ...(typeof stored["duration"] === "number" ? { duration: stored["duration"] } : {}),
    ...(typeof stored["reasoning_duration"] === "number" ? { reasoningDuration: stored["reasoning_duration"] } : {}),
    ...(rating ? { rating } : {}),
    ...(items ? { items: state === "streaming" ? items : closed(items) } : {}),
  };
}

function readEdited(stored: unknown): Pick<Message, "edited"> {
  if (!isRecord(stored) || typeof stored["original"] !== "string") return {};
  const { original, at } = stored;
  return { edited: { original, at: typeof at === "number" ? at : 0 } };
}

const itemKeys = ["statusHistory", "output", "sources", "files", "embeds", "followUps", "favorite"];

/** What nothing works on any more has no stage under way, whatever was stored. */
export function closed(items: MessageItems): MessageItems {
  return { ...items, statuses: closeStatuses(items.statuses) };
}

/** Text, or the text parts of a message with pictures and files. */
function readContent(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => textField(part, "text"))
    .filter(Boolean)
    .join("\n\n");
}

/** `{message, code}`, Open WebUI's `{content}`, or plain text; null when there is none. */
export function readError(value: unknown): { message: string; code?: string } | null {
  if (typeof value === "string" && value) return { message: value };
  if (!isRecord(value)) return null;
  const code = textField(value, "code");
  return { message: textField(value, "message") || textField(value, "content"), ...(code ? { code } : {}) };
}
