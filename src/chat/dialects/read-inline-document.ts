import type { Context } from "../../context.ts";
import { ExtractorLost } from "../../documents/files/extraction/extractor.ts";
import { chunkOptions } from "../../documents/files/processing/chunk-options.ts";
import { AppError } from "../../errors.ts";
import { readBytesUpTo } from "../../http/read-up-to.ts";
import { fromBase64 } from "../../lib/base64.ts";

/** Documents per request; bytes of a fetched document; characters of its text; milliseconds for all of them. */
const limits = { documents: 20, bytes: 20_000_000, letters: 2_000_000, timeoutMs: 60_000 };

/** A document in a request: base64 content, or an address. */
export type DocumentSource = { base64: string; mediaType?: string | undefined } | { url: string };

/** Reads the documents of one request. */
export interface DocumentReader {
  /**
   * The text of a document. Addresses are fetched through the guard.
   * @param path its place in the request, for messages
   * @throws AppError `bad_request` for one that cannot be loaded or read, or for too many; the signal's reason
   */
  read(source: DocumentSource, path: string): Promise<string>;
}

/**
 * Reads documents (PDF and all other supported file types) as texts: only a few chat-completions providers support
 * documents, but every model reads text.
 * @param signal cancels it
 */
export function createInlineDocumentReader(ctx: Context, signal: AbortSignal): DocumentReader {
  const until = AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]);
  let count = 0;
  return {
    async read(source, path) {
      count += 1;
      if (count > limits.documents)
        throw new AppError("bad_request", `At most ${limits.documents} documents can be sent`);
      try {
        return await textOf(ctx, "url" in source ? await fetched(ctx, source.url, until) : given(source), until);
      } catch (error) {
        signal.throwIfAborted();
        throw refusal(error, path);
      }
    },
  };
}

interface Document {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

async function textOf(ctx: Context, { bytes, type }: Document, signal: AbortSignal): Promise<string> {
  const options = {
    ...chunkOptions(ctx.settings),
    // The content decides what it is; a name helps where that says little.
    filename: type === "application/pdf" ? "document.pdf" : "document",
    contentType: type,
    bytes: bytes.length,
    pictures: false,
  };
  const texts: string[] = [];
  let length = 0;
  for await (const event of ctx.extractor.extract(new Blob([bytes]).stream(), options, signal)) {
    if (event.type === "failed") throw new AppError("bad_request", event.message);
    if (event.type !== "text") continue;
    length += event.text.length;
    if (length > limits.letters) throw new AppError("bad_request", "It has too much text");
    texts.push(event.text);
  }
  return texts.join("");
}

function given({ base64, mediaType = "application/pdf" }: Exclude<DocumentSource, { url: string }>): Document {
  try {
    return { bytes: fromBase64(base64), type: mediaType };
  } catch {
    throw new AppError("bad_request", "Its data is not valid base64");
  }
}

async function fetched(ctx: Context, url: string, signal: AbortSignal): Promise<Document> {
  if (!URL.canParse(url)) throw new AppError("bad_request", "Its address is invalid");
  const response = await ctx.outbound.guarded(url, { signal });
  const length = Number(response.headers.get("content-length") ?? 0);
  if (!response.ok || length > limits.bytes) {
    await response.body?.cancel();
    const why = response.ok ? "It is too large" : `Its address returned status ${response.status}`;
    throw new AppError("bad_request", why);
  }
  const type = (response.headers.get("content-type") ?? "application/pdf").split(";")[0]!.trim();
  const bytes = await readBytesUpTo(response.body, limits.bytes);
  if (!bytes) throw new AppError("bad_request", "It is too large");
  return { bytes, type };
}

function refusal(error: unknown, path: string): AppError {
  const say = (why: string, cause?: unknown) =>
    new AppError("bad_request", `${path}: this document cannot be read: ${why}`, { param: path, cause });
  if (error instanceof AppError) return say(error.message);
  if (error instanceof ExtractorLost) return say("reading it took too much memory");
  if (error instanceof Error && error.name === "TimeoutError") return say("reading it took too long", error);
  return say("it could not be loaded", error);
}
