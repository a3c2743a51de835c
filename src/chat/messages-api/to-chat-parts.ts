import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";

/** A content block of the Messages API, or a part of a chat message. */
export type Block = Record<string, unknown>;

/** Path of a block, for messages: `messages.3.content.0`. */
export type BlockPath = string;

export interface PartsOptions {
  /** The provider is native: blocks stay unchanged. */
  keepsBlocks: boolean;
  /** Called with the ids of files whose text belongs to the turn. */
  onFile?: ((id: string) => void) | undefined;
}

/** The blocks of a content, which may be a single text. */
export function blocksOf(content: unknown): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/**
 * A user's block as parts of a chat message.
 * @throws AppError `bad_request` for a block that such a model does not support: without it the answer would be wrong
 */
export function partsOf(block: Block, path: BlockPath, options: PartsOptions): Block[] {
  const { type } = block;
  if (type === "text") return textPart(block["text"], options.keepsBlocks ? block["cache_control"] : undefined);
  if (options.keepsBlocks) return [block];
  if (type === "image") return [imagePart(block["source"], path)];
  if (type === "document") return documentParts(block, path, options);
  if (type === "search_result") return textPart(searchResult(block));
  if (type === "tool_reference") return textPart(`Tool: ${textIn(block["tool_name"])}`);
  // Files for a sandbox of the provider's: nothing here would open them.
  if (type === "container_upload") throw cannotSay(path, "files for the provider's own sandbox");
  throw cannotSay(path, `blocks of the type ${JSON.stringify(String(type).slice(0, 100))}`);
}

/**
 * Text parts joined into a single text, because many models do not accept lists of parts. Undefined if there is another
 * part.
 */
export function asText(parts: readonly Block[], separator: string): string | undefined {
  if (parts.some(({ type, cache_control: cache }) => type !== "text" || cache !== undefined)) return undefined;
  return parts.map(({ text }) => text).join(separator);
}

export function cannotSay(path: BlockPath, what: string): AppError {
  return new AppError("bad_request", `${path}: this model cannot be given ${what}`, { param: path });
}

function textPart(text: unknown, cache?: unknown): Block[] {
  if (typeof text !== "string" || text === "") return [];
  return [{ type: "text", text, ...(isRecord(cache) ? { cache_control: cache } : {}) }];
}

function imagePart(source: unknown, path: BlockPath): Block {
  if (isRecord(source)) {
    const { type, media_type: mediaType, data, url, file_id: fileId } = source;
    if (type === "base64" && typeof mediaType === "string" && typeof data === "string")
      return { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } };
    if (type === "url" && typeof url === "string") return { type: "image_url", image_url: { url } };
    // A file of the service's own, by its id.
    if (type === "file" && typeof fileId === "string") return { type: "image_url", image_url: { url: fileId } };
  }
  throw new AppError("bad_request", `${path}.source: expected base64 with a media type, a url or a file_id`, {
    param: `${path}.source`,
  });
}

/** Documents are already texts (`readDocuments`), or files of the service. */
function documentParts(block: Block, path: BlockPath, options: PartsOptions): Block[] {
  const { source } = block;
  if (!isRecord(source)) throw new AppError("bad_request", `${path}.source: expected an object`, { param: path });
  const { type, data, content, file_id: fileId } = source;
  if (type === "text" && typeof data === "string") return textPart(documentText(block, data));
  if (type === "file" && typeof fileId === "string" && options.onFile) {
    options.onFile(fileId);
    return [];
  }
  if (type !== "content") throw cannotSay(path, "this document");
  const inner = blocksOf(content).flatMap((each, at) => partsOf(each, `${path}.source.content.${at}`, options));
  const text = asText(inner, "\n\n");
  if (text !== undefined) return textPart(documentText(block, text));
  return [...textPart(documentHead(block)), ...inner, ...textPart("</document>")];
}

function documentHead({ title, context }: Block): string {
  const named = typeof title === "string" && title !== "" ? ` title=${JSON.stringify(title)}` : "";
  const about = typeof context === "string" && context !== "" ? `\n${context}\n` : "";
  return `<document${named}>${about}`;
}

function documentText(block: Block, text: string): string {
  return `${documentHead(block)}\n${text}\n</document>`;
}

function searchResult({ title, source, content }: Block): string {
  const texts = blocksOf(content).map(({ text }) => textIn(text));
  return [`Search result: ${textIn(title)} (${textIn(source)})`, ...texts].join("\n");
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
