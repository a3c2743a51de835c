import type { LiveEvent } from "../../../shared/live-protocol.ts";
import { readTags } from "./tags/read-tags.ts";
import { titleOf } from "./title-of.ts";

/** What the service has stored about a chat besides its messages. */
interface StoredAbout {
  title: string;
  tags: readonly string[];
}

export const noStored: StoredAbout = { title: "", tags: [] };

/** The same with what an event of the chat tells. */
export function hearAbout(stored: StoredAbout, { type, data }: LiveEvent["data"]): StoredAbout {
  if (type === "chat:title") return { ...stored, title: titleOf(data) || stored.title };
  if (type === "chat:tags") return { ...stored, tags: readTags(data) };
  return stored;
}
