/** A form that is sent on while it arrives: fields first, then one file whose length nobody knows yet. */
export interface FormStream {
  contentType: string;
  body: ReadableStream<Uint8Array>;
}

/**
 * A form (RFC 7578) of which no more than a piece is in memory.
 * @param file its bytes; an error ends the form with it
 */
export function formStream(
  fields: Readonly<Record<string, string>>,
  file: { name: string; contentType: string; bytes: AsyncIterable<Uint8Array> },
): FormStream {
  const boundary = `parley-${crypto.randomUUID()}`;
  const pieces = write(boundary, fields, file);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    }),
  };
}

async function* write(
  boundary: string,
  fields: Readonly<Record<string, string>>,
  { name, contentType, bytes }: { name: string; contentType: string; bytes: AsyncIterable<Uint8Array> },
): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  const head = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const disposition = `content-disposition: form-data; name="file"; filename="${quoted(name)}"`;
  yield encoder.encode(`${head.join("")}--${boundary}\r\n${disposition}\r\ncontent-type: ${contentType}\r\n\r\n`);
  for await (const piece of bytes) yield piece.slice();
  yield encoder.encode(`\r\n--${boundary}--\r\n`);
}

/** As browsers write names in forms (HTML standard, multipart/form-data encoding algorithm). */
function quoted(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
