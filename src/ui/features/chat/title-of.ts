import { isRecord, textField } from "../../lib/live/live-state.ts";

/** Of `chat:title`, whose data is the title or holds it. */
export function titleOf(data: unknown): string {
  return typeof data === "string" ? data : isRecord(data) ? textField(data, "title") : "";
}
