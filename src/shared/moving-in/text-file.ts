import type { OpenFile } from "./row-source.ts";

/** A text as the bytes of a file. */
export function textFile(text: string): OpenFile {
  const body = new Blob([text]);
  return { size: body.size, body };
}
