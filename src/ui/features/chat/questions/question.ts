import type { EventSource, LiveEvent } from "../../../../shared/live-protocol.ts";
import { isRecord, textField } from "../../../lib/live/live-state.ts";

/** How the answer to an `input` is entered. */
export type EntryKind = "text" | "password" | "number" | "email" | "url" | "date" | "textarea" | "choice";

/** A question of a plugin, ready to be shown. */
export interface Question {
  id: string;
  kind: "confirmation" | "input";
  title: string;
  message: string;
  /** Undefined where it belongs to no stored chat. */
  chatId: string | undefined;
  messageId: string | undefined;
  /** The plugin that asks. */
  by: EventSource | undefined;
  /** Epoch seconds. */
  expiresAt: number;
  entry: EntryKind;
  placeholder: string;
  /** What stands in the field at first. */
  value: string;
  choices: { value: string; label: string }[];
}

const kinds: readonly string[] = [
  "text",
  "password",
  "number",
  "email",
  "url",
  "date",
  "textarea",
] satisfies EntryKind[];

/** Reads a question that waits; undefined for `execute`, which asks the browser and not the person. */
export function readQuestion(event: LiveEvent): Question | undefined {
  const { type, data } = event.data;
  if (!event.call || (type !== "confirmation" && type !== "input")) return undefined;
  const choices = isRecord(data) && Array.isArray(data["options"]) ? data["options"].flatMap(readChoice) : [];
  const wanted = textField(data, "type").toLowerCase();
  const entry = kinds.includes(wanted) ? (wanted as EntryKind) : "text";
  const value = isRecord(data) ? data["value"] : undefined;
  return {
    id: event.call.id,
    kind: type,
    title: textField(data, "title"),
    message: textField(data, "message"),
    chatId: event.chat_id,
    messageId: event.message_id,
    by: event.by,
    expiresAt: event.call.expires_at,
    entry: choices.length > 0 ? "choice" : entry,
    placeholder: textField(data, "placeholder"),
    value: typeof value === "string" || typeof value === "number" ? String(value) : "",
    choices,
  };
}

function readChoice(option: unknown): { value: string; label: string }[] {
  if (typeof option === "string") return [{ value: option, label: option }];
  const value = textField(option, "value");
  return value ? [{ value, label: textField(option, "label") || value }] : [];
}
