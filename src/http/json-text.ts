/**
 * A JSON document with one long text in it, as a stream: nobody holds the text.
 * @param before the document up to the text's first quote
 * @param text UTF-8; what is broken in it becomes U+FFFD
 * @param after the document behind the text's last quote
 */
export function streamJsonText(
  before: string,
  text: ReadableStream<Uint8Array>,
  after: string,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const inner = (piece: string) => encoder.encode(JSON.stringify(piece).slice(1, -1));
  return text.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(`${before}"`)),
      transform: (bytes, controller) => controller.enqueue(inner(decoder.decode(bytes, { stream: true }))),
      flush(controller) {
        controller.enqueue(inner(decoder.decode()));
        controller.enqueue(encoder.encode(`"${after}`));
      },
    }),
  );
}
