import { keepAliveMs } from "./keep-alive.ts";

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): a JSON frame for each value, and
 * comments in between. It ends after the last value, or when watching fails because the object or the permission is
 * gone.
 * @param watch gets a signal that fires when the reader is gone
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
      timer = setInterval(() => {
        // Where nobody reads, nothing has to be kept open, and the comments would pile up.
        if (controller.desiredSize! > 0) controller.enqueue(encoder.encode(": still there\n\n"));
      }, keepAliveMs);
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
