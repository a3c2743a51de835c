import { encodingFor } from "./compress-answers.ts";

/**
 * A JSON array, written while its items are read. A failure in the middle breaks off the body, because half an export
 * is useless.
 * @param accepts the request's `Accept-Encoding`
 */
export function streamArray(items: AsyncIterable<unknown>, accepts: string | undefined): Response {
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
  return new Response(body, { headers: { "content-type": "application/json", ...encodingFor(accepts) } });
}
