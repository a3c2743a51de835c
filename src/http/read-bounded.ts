import { utf8Text } from "../lib/utf8.ts";
import type { ByteReader } from "./byte-reader.ts";

/** The result of a limited read; `ended` is false if the limit was reached and the rest was cancelled. */
export interface BoundedText {
  text: string;
  ended: boolean;
}

/**
 * The rest of a body as text, after what was already read. Stops at `maxBytes`; errors of the connection are thrown.
 * @param expected the total number of bytes, if known
 */
export async function readBounded(
  reader: ByteReader,
  maxBytes: number,
  head: readonly Uint8Array[] = [],
  expected = Infinity,
): Promise<BoundedText> {
  const [only, more] = head;
  if (only && !more && only.length >= expected && only.length <= maxBytes) return { text: utf8Text(only), ended: true };
  const decoder = new TextDecoder();
  let length = 0;
  let text = "";
  for (const bytes of head) {
    length += bytes.length;
    text += decoder.decode(bytes, { stream: true });
  }
  while (length <= maxBytes) {
    // The length was said and is reached: asking for the end as well would cost another turn.
    if (length >= expected) return { text: text + decoder.decode(), ended: true };
    const { done, value } = await reader.read();
    if (done || !value) return { text: text + decoder.decode(), ended: true };
    length += value.length;
    text += decoder.decode(value, { stream: true });
  }
  void reader.cancel().catch(() => undefined);
  return { text, ended: false };
}
