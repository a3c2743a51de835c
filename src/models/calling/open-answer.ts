import { beginResponse, type ByteReader, readBytes } from "../../http/byte-reader.ts";
import { readBounded } from "../../http/read-bounded.ts";

const maxErrorBytes = 64 * 1024;
const errorBodyTimeoutMs = 5000;

/** An answer whose first byte has arrived, and the state of the rest. */
export interface OpenedAnswer {
  response: Response;
  /** Resolves when the body has ended, with the error if it broke; never rejects. */
  over: Promise<unknown>;
  /** Of an answer that was begun, with its first bytes. */
  reader?: ByteReader | undefined;
}

const unknownEnd = Promise.resolve(undefined);

/**
 * Waits for the first byte of a successful answer: until then another provider may still be tried. The rest is for those who read
 * it with this reader and tell its end themselves.
 * @throws the runtime's error if the body breaks before its first byte
 */
export async function beginAnswer(response: Response): Promise<OpenedAnswer> {
  return { response, over: unknownEnd, reader: await beginResponse(response) };
}

/**
 * As `beginAnswer`, for those who read the body as any other. It passes through the runtime's own pipe if there is one.
 * @throws the runtime's error if the body breaks before its first byte
 */
export async function openAnswer(response: Response): Promise<OpenedAnswer> {
  const { body } = response;
  if (!body) return { response, over: Promise.resolve(undefined) };
  const { value: head, rest } = await readHead(body);
  if (head === undefined) return { response: withBody(response, null), over: Promise.resolve(undefined) };
  const { readable, writable } = identity();
  const over = pass(head, rest, writable);
  return { response: withBody(response, readable), over };
}

async function readHead(
  body: ReadableStream<Uint8Array>,
): Promise<{ value: Uint8Array | undefined; rest: ReadableStream<Uint8Array> }> {
  const { reader, release } = headReader(body);
  try {
    for (;;) {
      const { done, value } = await reader();
      if (done) return { value: undefined, rest: body };
      if (value && value.length > 0) return { value, rest: body };
    }
  } finally {
    release();
  }
}

function headReader(body: ReadableStream<Uint8Array>) {
  try {
    const reader = body.getReader({ mode: "byob" });
    return { reader: () => reader.read(new Uint8Array(4096)), release: () => reader.releaseLock() };
  } catch {
    // A stream made by code of chunks that are there already.
    const reader = body.getReader();
    return { reader: () => reader.read(), release: () => reader.releaseLock() };
  }
}

/** In workerd, a pipe between native streams bypasses JavaScript; elsewhere a standard one is used. */
function identity(): TransformStream<Uint8Array, Uint8Array> {
  const native = (globalThis as { IdentityTransformStream?: new () => TransformStream<Uint8Array, Uint8Array> })
    .IdentityTransformStream;
  return native ? new native() : new TransformStream<Uint8Array, Uint8Array>();
}

/** @returns the error if the upstream broke; undefined if the body ended or its reader cancelled */
async function pass(
  head: Uint8Array,
  rest: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
): Promise<unknown> {
  const writer = writable.getWriter();
  try {
    await writer.write(head);
  } catch (error) {
    await rest.cancel(error).catch(() => undefined);
    return undefined;
  }
  writer.releaseLock();
  try {
    await rest.pipeTo(writable, { preventAbort: true });
    return undefined;
  } catch (error) {
    const end = writable.getWriter();
    const isLetGo = end.desiredSize === null;
    await end.abort(error).catch(() => undefined);
    return isLetGo ? undefined : error;
  }
}

/** A failed answer with its body read, because the connection is finished: at most 64 KiB and 5 s. */
export async function closeAnswer(response: Response): Promise<{ response: Response; text: string }> {
  const text = response.body ? await readError(response.body) : "";
  return { response: withBody(response, text === "" ? null : text), text };
}

/** A body that hangs or breaks must not hide the status. */
async function readError(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = readBytes(body);
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), errorBodyTimeoutMs);
  try {
    return (await readBounded(reader, maxErrorBytes)).text;
  } catch {
    return "";
  } finally {
    clearTimeout(timer);
  }
}

function withBody({ status, statusText, headers }: Response, body: BodyInit | null): Response {
  const kept = new Headers(headers);
  // The bytes are those of the decoded body.
  for (const name of ["content-encoding", "transfer-encoding"]) kept.delete(name);
  if (body === null || typeof body === "string" || headers.has("content-encoding")) kept.delete("content-length");
  return new Response(body, { status, statusText, headers: kept });
}
