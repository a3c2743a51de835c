import { fromBase64 } from "../../../lib/base64.ts";
import { isRecord } from "../../../lib/json.ts";
import { utf8Text } from "../../../lib/utf8.ts";
import { unsupported } from "./unsupported.ts";

/** A content block of the dialect. */
export type Block = Record<string, unknown>;

/** Blocks that are already in the dialect. */
const ownBlocks = new Set(["image", "document", "search_result"]);

/** The texts of a content; empty ones are left out, because the dialect rejects them. */
export function textBlocks(content: unknown): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isRecord).flatMap((part) => {
    const text = part["type"] === "refusal" ? part["refusal"] : part["text"];
    return typeof text === "string" && text !== "" ? [{ type: "text", text, ...cacheOf(part) }] : [];
  });
}

/**
 * A user's or a tool's content: texts, pictures, files.
 * @throws UpstreamError 400 for what the dialect does not support
 */
export function contentBlocks(content: unknown): Block[] {
  if (!Array.isArray(content)) return textBlocks(content);
  return content.filter(isRecord).flatMap((part): Block[] => {
    const { type } = part;
    if (typeof type === "string" && ownBlocks.has(type)) return [part];
    if (type === "image_url") return [{ ...imageBlock(part["image_url"]), ...cacheOf(part) }];
    if (type === "file") return [{ ...fileBlock(part["file"]), ...cacheOf(part) }];
    if (type === "input_audio") throw unsupported("messages: this model does not support audio", "messages");
    return textBlocks([part]);
  });
}

function cacheOf({ cache_control: cache }: Block): Block {
  return isRecord(cache) ? { cache_control: cache } : {};
}

function imageBlock(image: unknown): Block {
  const url = isRecord(image) ? image["url"] : image;
  if (typeof url !== "string" || url === "") throw unsupported("messages: a picture has no URL", "messages");
  const data = readDataUrl(url);
  return { type: "image", source: data ? base64Source(data) : { type: "url", url } };
}

function fileBlock(file: unknown): Block {
  const { file_data: given, filename } = isRecord(file) ? file : {};
  const data = typeof given === "string" ? readDataUrl(given) : undefined;
  const title = typeof filename === "string" && filename !== "" ? { title: filename.slice(0, 500) } : {};
  if (!data) throw unsupported("messages: this model needs the content of files, as a data URL", "messages");
  if (data.type.startsWith("image/")) return { type: "image", source: base64Source(data) };
  if (data.type.startsWith("text/")) {
    const text = utf8Text(fromBase64(data.base64));
    return { type: "document", source: { type: "text", media_type: "text/plain", data: text }, ...title };
  }
  return { type: "document", source: base64Source(data), ...title };
}

interface Data {
  type: string;
  base64: string;
}

function base64Source({ type, base64 }: Data): Block {
  return { type: "base64", media_type: type, data: base64 };
}

/** Media type and base64 of a data URL (RFC 2397); undefined for any other address. */
function readDataUrl(url: string): Data | undefined {
  const comma = url.indexOf(",");
  const [, type, parameters] = /^data:([^;,]*)((?:;[^;,]*)*)$/i.exec(url.slice(0, Math.max(0, comma))) ?? [];
  if (type === undefined || !/;\s*base64$/i.test(parameters ?? "")) return undefined;
  return { type: type === "" ? "text/plain" : type.toLowerCase(), base64: url.slice(comma + 1) };
}
