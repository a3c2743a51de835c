/** The form of a body: server-sent events, a JSON document, JSON lines, a web page, or something else. */
export type AnswerForm = "events" | "document" | "lines" | "page" | "other";

const eventStart = /^(?::|data:|event:|id:|retry:)/;
const eventPrefixes = ["data:", "event:", "id:", "retry:"];

/**
 * Detects the form of an answer from its first characters; the content type is used only if they are ambiguous, because
 * upstreams and proxies often send a wrong one.
 * @param head the first characters
 * @param ended whether there are no more
 * @returns undefined while more characters are needed
 */
export function sniffAnswer(contentType: string | null, head: string, ended: boolean): AnswerForm | undefined {
  const type = contentType?.toLowerCase() ?? "";
  const start = head.replace(/^\uFEFF/, "").trimStart();
  if (start === "") return ended ? "other" : undefined;
  if (start[0] === "<") return "page";
  if (start[0] === "{" || start[0] === "[") {
    if (/ndjson|jsonl|json-seq|json-lines/.test(type)) return "lines";
    // "[DONE]" as the whole of a stream is an event that lost its field name.
    return start.startsWith("[D") ? "events" : "document";
  }
  if (eventStart.test(start) || type.includes("event-stream")) return "events";
  if (!ended && eventPrefixes.some((prefix) => prefix.startsWith(start))) return undefined;
  return "other";
}
