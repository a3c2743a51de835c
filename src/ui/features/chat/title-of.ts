import { isRecord, textField } from "../../lib/live/live-state.ts";

/** Of `chat:title`, whose data is the title or holds it. */
export function titleOf(data: unknown): string {
  return typeof data === "string" ? data : isRecord(data) ? textField(data, "title") : "";
}

/** What the service calls a new chat until its title is written: the beginning of the question. */
export function firstWords(content: string): string {
  const line = content.trim().replace(/\s+/gu, " ");
  return line.length <= 60 ? line : `${line.slice(0, Math.max(20, line.lastIndexOf(" ", 60)))}…`;
}
