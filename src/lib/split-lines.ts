/**
 * The lines of a UTF-8 stream, without their ends; an unfinished last line is one too. Ends the stream when nobody reads on.
 * @param maxLength line, in UTF-16 units; needed for streams of strangers. @throws Error for a longer one
 */
export async function* splitLines(stream: ReadableStream<Uint8Array>, maxLength = Infinity): AsyncIterable<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      let from = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
        yield [...rest, text.slice(from, end)].join("");
        rest = [];
        length = 0;
        from = end + 1;
      }
      if (from < text.length) rest.push(text.slice(from));
      length += text.length - from;
      if (length > maxLength) throw new Error("a line is too long");
      if (done) break;
    }
    if (rest.length > 0) yield rest.join("");
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
