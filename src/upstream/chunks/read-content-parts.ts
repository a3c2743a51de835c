import { isRecord } from "../../lib/json.ts";

/**
 * Text and thinking of a content list (Mistral's reasoning models and others send `content: [{type, ...}]`). `others`:
 * other parts, such as references and pictures.
 */
export function readContentParts(parts: unknown[]): { text: string; thinking: string; others: unknown[] } {
  let text = "";
  let thinking = "";
  const others: unknown[] = [];
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else if (isRecord(part) && typeof part["text"] === "string") text += part["text"];
    else if (isRecord(part) && Array.isArray(part["thinking"])) thinking += readContentParts(part["thinking"]).text;
    else if (isRecord(part) && typeof part["thinking"] === "string") thinking += part["thinking"];
    else if (part !== null) others.push(part);
  }
  return { text, thinking, others };
}
