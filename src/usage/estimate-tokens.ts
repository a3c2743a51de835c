import { estimateTokenCount } from "tokenx";
import { isRecord } from "../lib/json.ts";
import { type TokenUsage, usageOf } from "./read-usage.ts";

/** Characters that are tokenized for the ledger, about 2 ms; the rest is extrapolated. */
const sampledLength = 20_000;
/** Tokens of a picture of usual size (about a megapixel); models differ by a factor of ten. */
export const pictureTokens = 1400;
/** Overhead per message. */
export const messageTokens = 4;
/** How deep and how far a request is looked through. */
const deepest = 12;
const mostParts = 20_000;

/** Estimated tokens of a text, accurate to about 20 %. */
export function estimateText(text: string): number {
  return estimateTexts([text], sampledLength);
}

/**
 * Estimated tokens of several texts.
 * @param budget characters to tokenize in total: each text gives the same share of itself, from its middle
 */
export function estimateTexts(texts: readonly string[], budget: number): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const share = Math.min(1, budget / Math.max(1, length));
  let sampled = 0;
  let tokens = 0;
  for (const text of texts) {
    const part = share === 1 ? text.length : Math.floor(text.length * share);
    const start = Math.floor((text.length - part) / 2);
    tokens += part === 0 ? 0 : estimateTokenCount(text.slice(start, start + part));
    sampled += part;
  }
  return Math.round(sampled === 0 ? length / 4 : (tokens / sampled) * length);
}

/**
 * Estimated usage of a call, for providers that do not report it.
 * @param request its messages, instructions, tools and so on, in any dialect; `data:` addresses count as attachments
 * @param written what the model wrote
 */
export function estimateUsage(request: unknown, written: string): TokenUsage {
  const seen = { texts: [] as string[], attachments: 0, messages: 0, numbers: 0, parts: 0 };
  collect(request, seen, 0);
  const around = seen.messages * messageTokens + seen.attachments * pictureTokens + seen.numbers;
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
