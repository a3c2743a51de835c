/** Most that one event may hold, in characters: an answer with pictures in it is some megabytes. */
const longest = 32_000_000;

/**
 * The data of the events of a `text/event-stream`, those that came together in one list. Comments and other fields are left
 * out (HTML standard, 9.2.6).
 * @throws RangeError for an event that does not end
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<string[], void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + value).split(/\r\n\r\n|\n\n|\r\r/u);
      rest = events.pop() ?? "";
      if (rest.length > longest) throw new RangeError("an event has no end");
      const found = events.flatMap((event) => dataOf(event) ?? []);
      if (found.length > 0) yield found;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function dataOf(event: string): string | undefined {
  const lines = event.split(/\r\n|\n|\r/u).flatMap((line) => /^data:? ?(.*)$/su.exec(line)?.[1] ?? []);
  return lines.length > 0 ? lines.join("\n") : undefined;
}
