/**
 * A JSON document with one long text, as a stream that never holds the whole text.
 * @param before the document up to the text's opening quote
 * @param text UTF-8; invalid bytes become U+FFFD
 * @param after the document after the text's closing quote
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
