import { estimateTokenCount } from "tokenx";
import { isRecord } from "../lib/json.ts";
import { type TokenUsage, usageOf } from "./read-usage.ts";

/** So much of a text is counted, in UTF-16 units; the rest is taken to be like it. Some 2 ms. */
const counted = 20_000;
/** What a picture or another attachment of a message may come to: models differ by a factor of ten. */
const attachmentTokens = 800;
/** What stands around each message. */
const frameTokens = 4;
/** How deep and how far a request is looked through. */
const deepest = 12;
const mostParts = 20_000;

/** Estimated tokens of a text, accurate to about 20 %. */
export function estimateText(text: string): number {
  if (text.length <= counted) return estimateTokenCount(text);
  return Math.round((estimateTokenCount(text.slice(0, counted)) * text.length) / counted);
}

/**
 * Estimated usage of a call, for providers that do not report it.
 * @param request its messages, instructions, tools and so on, in any dialect; `data:` addresses count as attachments
 * @param written what the model wrote
 */
export function estimateUsage(request: unknown, written: string): TokenUsage {
  const seen = { texts: [] as string[], attachments: 0, messages: 0, numbers: 0, parts: 0 };
  collect(request, seen, 0);
  const around = seen.messages * frameTokens + seen.attachments * attachmentTokens + seen.numbers;
  return usageOf({
    input: estimateText(seen.texts.join("\n")) + around,
    output: estimateText(written),
    isEstimated: true,
  });
}

interface Seen {
  texts: string[];
  attachments: number;
  messages: number;
  /** Embeddings may be asked for tokens by their numbers. */
  numbers: number;
  parts: number;
}

/** Names and marks that say what something is, and no model reads as words. */
const marks = new Set(["role", "type", "id", "model", "media_type", "detail", "format", "tool_call_id", "tool_use_id"]);

function collect(value: unknown, seen: Seen, depth: number): void {
  if (depth > deepest || ++seen.parts > mostParts) return;
  if (typeof value === "string") {
    if (value.startsWith("data:")) seen.attachments += 1;
    else seen.texts.push(value);
  } else if (typeof value === "number") {
    seen.numbers += 1;
  } else if (Array.isArray(value)) {
    for (const each of value) collect(each, seen, depth + 1);
  } else if (isRecord(value)) {
    if (typeof value["role"] === "string") seen.messages += 1;
    // Messages' and audio parts' own way to say bytes.
    if (typeof value["data"] === "string") {
      seen.attachments += 1;
      return;
    }
    for (const name in value) {
      if (!marks.has(name)) collect(value[name], seen, depth + 1);
    }
  }
}
