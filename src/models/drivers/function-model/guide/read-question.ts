import { isRecord } from "../../../../lib/json.ts";

/** Longest question that is looked up; the help pages are small, and so is every question that they answer. */
const maxLength = 2000;

/** The text of the last message of the user; pictures and the like are passed over. */
export function readQuestion(messages: unknown): string {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  const last = list.findLast((message) => isRecord(message) && message.role === "user");
  const content = isRecord(last) ? last.content : undefined;
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  const texts = parts.map((part) => (isRecord(part) ? part.text : part));
  return texts
    .filter((text): text is string => typeof text === "string")
    .join("\n")
    .slice(0, maxLength);
}
