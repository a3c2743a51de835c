import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import { createDocumentReader, type DocumentSource } from "../dialects/read-inline-document.ts";
import type { MessagesRequest } from "./schema.ts";
import { type Block, blocksOf } from "./to-chat-parts.ts";

/**
 * Replaces the documents of the request (PDF and all other supported file types) with their text: only a few
 * chat-completions providers support documents, but every model reads text. Addresses are fetched through the guard.
 * @param signal cancels it
 * @throws AppError `bad_request` for a document that cannot be loaded or read, or for too many
 */
export async function readDocuments(
  ctx: Context,
  request: MessagesRequest,
  signal: AbortSignal,
): Promise<MessagesRequest> {
  if (!request.messages.some(({ content }) => blocksOf(content).some(holdsDocument))) return request;
  const documents = createDocumentReader(ctx, signal);

  async function read(block: Block, path: string): Promise<Block> {
    if (block["type"] === "tool_result") return { ...block, content: await readAll(block["content"], path) };
    if (!isUnread(block)) return block;
    const text = await documents.read(sourceOf(block["source"] as Block), path);
    return { ...block, source: { type: "text", data: text } };
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

/** The source of a block for `createDocumentReader`. */
function sourceOf({ type, url, data, media_type: mediaType }: Block): DocumentSource {
  if (type === "url") return { url: typeof url === "string" ? url : "" };
  return { base64: String(data), mediaType: typeof mediaType === "string" ? mediaType : undefined };
}
