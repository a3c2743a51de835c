/** Milliseconds between comments that keep proxies from closing what is silent. */
const keepAliveMs = 15_000;

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): a frame of JSON for each value, comments in
 * between. It ends with the last value, and with what breaks in the middle: what was watched is gone, or the right to see it.
 * @param watch given a signal that fires when nobody reads any more
 */
export function eventStream(
  request: Request,
  watch: (signal: AbortSignal) => AsyncGenerator<unknown, undefined>,
): Response {
  const ended = new AbortController();
  const values = watch(AbortSignal.any([ended.signal, request.signal]));
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode(": still there\n\n")), keepAliveMs);
    },
    async pull(controller) {
      const next = await values.next().catch(() => undefined);
      if (next && !next.done) return controller.enqueue(encoder.encode(`data: ${JSON.stringify(next.value)}\n\n`));
      clearInterval(timer);
      controller.close();
    },
    cancel() {
      clearInterval(timer);
      ended.abort();
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
  });
}
