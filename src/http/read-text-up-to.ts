/** A body as text, or undefined where it is longer than so many bytes; then the rest is left. */
export async function readTextUpTo(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<string | undefined> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return texts.join("") + decoder.decode();
    length += value.length;
    if (length > limit) {
      await reader.cancel().catch(() => undefined);
      return undefined;
    }
    texts.push(decoder.decode(value, { stream: true }));
  }
}
