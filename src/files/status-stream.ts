import { statusOf } from "./file-status.ts";
import type { FoundFile } from "./find-file.ts";

/** Milliseconds between comments that keep proxies from closing what is silent. */
const keepAlive = 15_000;

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): a frame for each state of a file, ending
 * with the last; comments in between.
 * @param onCancel called when nobody reads any more
 */
export function statusStream(
  states: AsyncGenerator<FoundFile, undefined>,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode(": still there\n\n")), keepAlive);
    },
    async pull(controller) {
      // What breaks in the middle (the file was deleted, the right to see it has gone) ends the stream: there is no status left.
      const next = await states.next().catch(() => undefined);
      if (next && !next.done)
        return controller.enqueue(encoder.encode(`data: ${JSON.stringify(statusOf(next.value))}\n\n`));
      clearInterval(timer);
      controller.close();
    },
    cancel() {
      clearInterval(timer);
      onCancel();
    },
  });
}
