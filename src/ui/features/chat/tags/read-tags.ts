import { listOf } from "../items/message-items.ts";

/** Of `chat:tags`, whose data is the list of names. */
export function readTags(data: unknown): string[] {
  return listOf(data).filter((name) => typeof name === "string");
}
