import { joinBytes } from "../lib/join-bytes.ts";
import { utf8Text } from "../lib/utf8.ts";

/**
 * The bytes of a body, or undefined if there are more than `limit`.
 * @param body is cancelled if it is not read to its end
 */
export async function readBytesUpTo(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the rest.
  for await (const part of body ?? []) {
    length += part.length;
    if (length > limit) return undefined;
    parts.push(part);
  }
  return joinBytes(parts);
}

/** The same as text. */
export async function readTextUpTo(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<string | undefined> {
  const bytes = await readBytesUpTo(body, limit);
  return bytes && utf8Text(bytes);
}
