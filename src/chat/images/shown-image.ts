import type { ImageList } from "../../images/schema.ts";

/** A picture as a file of a message. */
export function shownImage({ id, url, name, content_type, size }: ImageList[number]): Record<string, unknown> {
  return { type: "image", id, url, name, content_type, size };
}
