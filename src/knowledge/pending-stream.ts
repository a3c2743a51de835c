import type { PendingFile } from "./schema.ts";

/** Milliseconds after which a comment keeps proxies from closing what is silent. */
const keepAliveMs = 15_000;

/**
 * Server-sent events: a frame with the whole list whenever it changes, ending with the last.
 * @param onCancel called when nobody reads any more
 */
export function pendingStream(
  lists: AsyncGenerator<PendingFile[] | undefined, undefined>,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let said = Date.now();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          // What breaks in the middle (the base was deleted, the right to see it has gone) ends the stream.
          const next = await lists.next().catch(() => undefined);
          if (!next || next.done) return controller.close();
          if (next.value === undefined && Date.now() - said < keepAliveMs) continue;
          said = Date.now();
          const frame = next.value === undefined ? ": still there\n\n" : `data: ${JSON.stringify(next.value)}\n\n`;
          return controller.enqueue(encoder.encode(frame));
        }
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
}
