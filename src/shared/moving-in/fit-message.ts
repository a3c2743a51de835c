import { isObject } from "./read-values.ts";

/** Largest JSON of one message, in bytes: the database takes 5 MB as one value. */
export const maxMessageBytes = 4_500_000;

const encoder = new TextEncoder();

/** Whether the value is larger than this as JSON. */
export function isLargerThan(value: unknown, maxBytes: number): boolean {
  const text = JSON.stringify(value) ?? "";
  // In UTF-8 a unit of UTF-16 takes three bytes at most.
  return text.length * 3 > maxBytes && (text.length > maxBytes || encoder.encode(text).length > maxBytes);
}

/**
 * The message as large as it can be stored: first what stands beside its text is left out, the largest first, and then the text is cut.
 * @returns the same one if it fits
 */
export function fitMessage(message: Record<string, unknown>, maxBytes = maxMessageBytes): Record<string, unknown> {
  const { content, reasoning, ...beside } = message;
  const kept = fitObject(beside, maxBytes / 2, ["id", "role", "parentId", "childrenIds", "timestamp", "model"]);
  if (kept === beside && !isLargerThan(message, maxBytes)) return message;
  const texts = { content: plainText(content), reasoning: typeof reasoning === "string" ? reasoning : undefined };
  const isWhole = !isLargerThan({ ...kept, content, reasoning }, maxBytes);
  const cut = isWhole ? { content, reasoning } : cutTexts(texts, maxBytes / 2);
  return {
    ...kept,
    ...(content === undefined ? {} : { content: cut.content }),
    ...(reasoning === undefined ? {} : { reasoning: cut.reasoning }),
  };
}

/** The object without its largest fields, as few as have to go; the same one if it fits. */
export function fitObject(
  given: Record<string, unknown>,
  maxBytes: number,
  needed: readonly string[] = [],
): Record<string, unknown> {
  if (!isLargerThan(given, maxBytes)) return given;
  const sizes = Object.entries(given)
    .filter(([key]) => !needed.includes(key))
    .map(([key, value]) => ({ key, size: (JSON.stringify(value) ?? "").length }))
    .sort((a, b) => b.size - a.size);
  const rest = new Map(Object.entries(given));
  for (const { key } of sizes) {
    rest.delete(key);
    if (!isLargerThan(Object.fromEntries(rest), maxBytes)) break;
  }
  return Object.fromEntries(rest);
}

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = (content as unknown[]).map((part) => (isObject(part) ? part["text"] : undefined));
  return texts.filter((text) => typeof text === "string").join("\n");
}

function cutTexts(texts: { content: string; reasoning: string | undefined }, maxBytes: number) {
  let length = maxBytes;
  let cut = texts;
  do {
    cut = { content: cutAt(texts.content, length), reasoning: texts.reasoning && cutAt(texts.reasoning, length / 4) };
    length = Math.floor(length * 0.8);
  } while (isLargerThan(cut, maxBytes));
  return cut;
}

/** Never within a character. */
function cutAt(text: string, length: number): string {
  const end = Math.floor(length);
  if (text.length <= end) return text;
  return text.slice(0, /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end);
}
