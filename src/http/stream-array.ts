/** A JSON array, written while its items are read. A failure in the middle breaks the body off: half an export is none. */
export function streamArray(items: AsyncIterable<unknown>): Response {
  const encoder = new TextEncoder();
  const iterator = items[Symbol.asyncIterator]();
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) {
        controller.enqueue(encoder.encode(isFirst ? "[]" : "]"));
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(`${isFirst ? "[" : ","}${JSON.stringify(value)}`));
      isFirst = false;
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}
