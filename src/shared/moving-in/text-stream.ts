/** A text as the bytes of a file. */
export function textFile(text: string): { size: number; body: ReadableStream<Uint8Array> } {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return { size: bytes.length, body };
}
