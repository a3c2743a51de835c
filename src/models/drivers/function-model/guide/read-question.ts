import { isRecord } from "../../../../lib/json.ts";

/** Maximum length of a question that is searched. */
const maxLength = 2000;

/** The text of the user's last message; pictures and other parts are ignored. */
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
