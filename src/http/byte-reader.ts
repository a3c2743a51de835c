/** The reader of bytes that is needed here. */
export interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** What a read without a caller's buffer gives at most, in workerd. */
const usual = 4096;
const large = 16_384;

/**
 * Reads a body with its own larger buffers if it is a byte stream: this takes a quarter of the reads of an upstream
 * that writes much at once, and each read costs more than a dozen events. Data is returned as soon as it arrives.
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
