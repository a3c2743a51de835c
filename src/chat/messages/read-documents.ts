import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { ExtractorLost } from "../../files/extraction/extractor.ts";
import { chunkOptions } from "../../files/processing/chunk-options.ts";
import { fromBase64 } from "../../lib/base64.ts";
import { isRecord } from "../../lib/json.ts";
import type { MessagesRequest } from "./schema.ts";
import { type Block, blocksOf } from "./to-chat-parts.ts";

/** Documents of one request; bytes of one that is fetched; letters of its text; milliseconds for all of them. */
const limits = { documents: 20, bytes: 20_000_000, letters: 2_000_000, time: 60_000 };

/**
 * The request with the text of its documents (PDF and whatever else files are read from) in their place: chat completions know
 * documents at a few providers only, and every model reads text. Addresses are fetched through the guard.
 * @param signal ends it
 * @throws AppError `bad_request` for a document that cannot be had or read, or for too many
 */
export async function readDocuments(
  ctx: Context,
  request: MessagesRequest,
  signal: AbortSignal,
): Promise<MessagesRequest> {
  if (!request.messages.some(({ content }) => blocksOf(content).some(holdsDocument))) return request;
  const until = AbortSignal.any([signal, AbortSignal.timeout(limits.time)]);
  let count = 0;

  async function read(block: Block, path: string): Promise<Block> {
    if (block["type"] === "tool_result") return { ...block, content: await readAll(block["content"], path) };
    if (!isUnread(block)) return block;
    count += 1;
    if (count > limits.documents)
      throw new AppError("bad_request", `At most ${limits.documents} documents can be sent`);
    try {
      return { ...block, source: { type: "text", data: await textOf(ctx, block["source"] as Block, until) } };
    } catch (error) {
      signal.throwIfAborted();
      throw refusal(error, path);
    }
  }

  async function readAll(content: unknown, path: string): Promise<Block[]> {
    const blocks: Block[] = [];
    // One after another: each may take what memory there is.
    for (const [at, block] of blocksOf(content).entries()) blocks.push(await read(block, `${path}.content.${at}`));
    return blocks;
  }

  const messages: MessagesRequest["messages"] = [];
  for (const [at, message] of request.messages.entries()) {
    const hasAny = blocksOf(message.content).some(holdsDocument);
    messages.push(
      hasAny
        ? { ...message, content: (await readAll(message.content, `messages.${at}`)) as { type: string }[] }
        : message,
    );
  }
  return { ...request, messages };
}

function holdsDocument(block: Block): boolean {
  return block["type"] === "tool_result" ? blocksOf(block["content"]).some(isUnread) : isUnread(block);
}

function isUnread({ type, source }: Block): boolean {
  return type === "document" && isRecord(source) && (source["type"] === "base64" || source["type"] === "url");
}

async function textOf(ctx: Context, source: Block, signal: AbortSignal): Promise<string> {
  const { bytes, type, name } = source["type"] === "url" ? await fetched(ctx, source, signal) : given(source);
  const options = {
    ...chunkOptions(ctx.settings),
    filename: name,
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
    if (length > limits.letters) throw new AppError("bad_request", "There is too much text in it");
    texts.push(event.text);
  }
  return texts.join("");
}

interface Document {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  name: string;
}

function given({ data, media_type: mediaType }: Block): Document {
  const type = typeof mediaType === "string" ? mediaType : "application/pdf";
  try {
    return { bytes: fromBase64(String(data)), type, name: nameFor(type) };
  } catch {
    throw new AppError("bad_request", "Its data is not base64");
  }
}

async function fetched(ctx: Context, { url }: Block, signal: AbortSignal): Promise<Document> {
  if (typeof url !== "string" || !URL.canParse(url)) throw new AppError("bad_request", "Its address is none");
  const response = await ctx.outbound.guarded(url, { signal });
  const length = Number(response.headers.get("content-length") ?? 0);
  if (!response.ok || length > limits.bytes) {
    await response.body?.cancel();
    const why = response.ok ? "It is too large" : `Its address answers with status ${response.status}`;
    throw new AppError("bad_request", why);
  }
  const type = (response.headers.get("content-type") ?? "application/pdf").split(";")[0]!.trim();
  return { bytes: await bytesOf(response.body), type, name: nameFor(type) };
}

async function bytesOf(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    // Leaving the loop cancels the rest.
    if (length > limits.bytes) throw new AppError("bad_request", "It is too large");
    parts.push(part as Uint8Array<ArrayBuffer>);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The content decides what it is; a name helps where that says little. */
function nameFor(type: string): string {
  return type === "application/pdf" ? "document.pdf" : "document";
}

function refusal(error: unknown, path: string): AppError {
  const say = (why: string, cause?: unknown) =>
    new AppError("bad_request", `${path}: this document cannot be read: ${why}`, { param: path, cause });
  if (error instanceof AppError) return say(error.message);
  if (error instanceof ExtractorLost) return say("reading it took too much");
  if (error instanceof Error && error.name === "TimeoutError") return say("reading it took too long", error);
  return say("it could not be had", error);
}
