import { isRecord } from "../../lib/json.ts";

/** Text and thinking of a content list (Mistral's reasoning models and others answer `content: [{type, ...}]`). */
export function readContentParts(parts: unknown[]): { text: string; thinking: string } {
  let text = "";
  let thinking = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    if (!isRecord(part)) continue;
    if (typeof part["text"] === "string") text += part["text"];
    if (Array.isArray(part["thinking"])) thinking += readContentParts(part["thinking"]).text;
    else if (typeof part["thinking"] === "string") thinking += part["thinking"];
  }
  return { text, thinking };
}
