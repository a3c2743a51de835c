import { isRecord } from "../../lib/json.ts";
import { readContentParts } from "../../upstream/chunks/read-content-parts.ts";

/** Maximum length of a query, in UTF-16 units: embedding models read only a few hundred words. */
const maxQueryLength = 1200;
/** Shorter questions may depend on the previous one: "And in winter?" */
const shortQuestion = 80;

/** Texts of what the person said, the last one last. */
export function questionsIn(messages: unknown): string[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message) => {
    if (!isRecord(message) || message["role"] !== "user") return [];
    const { content } = message;
    const text = typeof content === "string" ? content : Array.isArray(content) ? readContentParts(content).text : "";
    return [text.trim()];
  });
}

/**
 * Queries for the last question: the question itself, together with the previous one if it is short, and in two parts
 * if it is long, because the actual question is at the beginning or end.
 * @param questions as returned by `questionsIn`
 */
export function wordQueries(questions: readonly string[]): string[] {
  const last = questions.at(-1) ?? "";
  const before = questions.slice(0, -1).findLast((text) => text !== "") ?? "";
  if (last === "") return [];
  if (last.length > maxQueryLength) {
    const half = maxQueryLength / 2;
    return [last.slice(0, half), last.slice(-half)].map((part) => part.toWellFormed());
  }
  if (last.length > shortQuestion || before === "") return [last];
  return [last, `${before.slice(-(maxQueryLength - shortQuestion - 1)).toWellFormed()}\n${last}`];
}
