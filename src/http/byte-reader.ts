/** What this code needs of a reader of bytes. */
export interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** What a read without a buffer of one's own gives at most, in workerd. */
const usual = 4096;
const large = 16_384;

/**
 * Reads a body with buffers of its own size, where it is a stream of bytes: an upstream that writes much at once is read in
 * a quarter of the turns, and each turn costs more than a dozen events. What arrives is given at once in any case.
 */
export function readBytes(body: ReadableStream<Uint8Array>): ByteReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: "byob" });
  } catch {
    // A stream made by code of chunks that are there already.
    return body.getReader();
  }
  let size = usual;
  return {
    async read() {
      const step = await reader.read(new Uint8Array(size));
      size = (step.value?.length ?? 0) >= usual ? large : usual;
      return step.done ? { done: true } : step;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}
