/** The reader of bytes that is needed here. */
export interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
  /** How many bytes there are altogether, if the headers of a response say it. */
  readonly expected?: number | undefined;
}

/** What a read without a caller's buffer gives at most, in workerd. */
const usual = 4096;
const large = 16_384;
/** A piece up to this length is copied out of its buffer, which then serves the next read. */
const maxCopied = 2048;

/**
 * Reads a body with its own larger buffers if it is a byte stream: this takes a quarter of the reads of an upstream
 * that writes much at once, and each read costs more than a dozen events. Data is returned as soon as it arrives. Small pieces,
 * such as single events, share one buffer: a new one for each is cleared, counted and collected, which cost more than the event.
 * @param expected how many bytes there are altogether, if that is known: a short body gets a buffer that it fills
 */
export function readBytes(body: ReadableStream<Uint8Array>, expected?: number): ByteReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: "byob" });
  } catch {
    // A stream made by code of chunks that are there already.
    return body.getReader();
  }
  let size = Math.max(1, Math.min(expected ?? usual, usual));
  let buffer: ArrayBuffer | undefined;
  return {
    async read() {
      const view = buffer ? new Uint8Array(buffer) : new Uint8Array(size);
      const { length } = view;
      buffer = undefined;
      const { done, value } = await reader.read(view);
      if (done || !value) return { done: true };
      size = value.length >= usual ? large : usual;
      if (value.length > maxCopied || value.length === length) return { done, value };
      buffer = value.buffer;
      return { done, value: value.slice() };
    },
    cancel: (reason) => reader.cancel(reason),
    expected,
  };
}

/** The body's length from its headers, if they describe the bytes that are read here, not a compressed form. */
function saidLength(headers: Headers): number | undefined {
  const said = headers.get("content-length");
  const length = said !== null && headers.get("content-encoding") === null ? Number(said) : NaN;
  return Number.isInteger(length) ? length : undefined;
}

/** The reader of a response with a body. */
export function readResponse(response: Response): ByteReader {
  return readBytes(response.body!, saidLength(response.headers));
}

/**
 * Waits for the first bytes of a response.
 * @returns the reader, which gives them too; undefined without a body
 * @throws as the body breaks before them
 */
export async function beginResponse(response: Response): Promise<ByteReader | undefined> {
  if (!response.body) return undefined;
  const reader = readResponse(response);
  let head: Awaited<ReturnType<ByteReader["read"]>>;
  do head = await reader.read();
  while (!head.done && head.value?.length === 0);
  let first: typeof head | undefined = head;
  return {
    read() {
      if (!first) return reader.read();
      const step = first;
      first = undefined;
      return Promise.resolve(step);
    },
    cancel: (reason) => reader.cancel(reason),
    expected: reader.expected,
  };
}
