import { isRecord, textField } from "../../../lib/live/live-state.ts";
import type { SharedChat } from "./shares-api.ts";

/** A message of a shared chat, as its page shows it. */
export interface SharedEntry {
  id: string;
  isQuestion: boolean;
  text: string;
  /** Data URLs. */
  pictures: string[];
  model: string;
  files: string[];
  sources: { number: number; name: string }[];
  /** Epoch seconds. */
  at: number;
}

/** The messages of a shared chat, from the first one on. */
export function sharedEntries(chat: SharedChat): SharedEntry[] {
  return chat.chat.messages.map((message) => {
    const parts = Array.isArray(message.content) ? message.content : [{ type: "text", text: message.content ?? "" }];
    return {
      id: message.id,
      isQuestion: message.role === "user",
      text: parts
        .map((part) => textField(part, "text"))
        .filter((text) => text !== "")
        .join("\n\n"),
      pictures: parts
        .map((part) => textField((part as Record<string, unknown>)["image_url"], "url"))
        .filter((url) => url.startsWith("data:image/")),
      model: textField(message, "model"),
      files: recordsIn(message["files"])
        .map((file) => textField(file, "name"))
        .filter((name) => name !== ""),
      sources: recordsIn(message["sources"]).map((source, at) => {
        const passage = recordsIn(source["metadata"])[0];
        const number = passage?.["number"];
        return { number: typeof number === "number" ? number : at + 1, name: textField(source["source"], "name") };
      }),
      at: message.timestamp,
    };
  });
}

function recordsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
}
