import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";

/** An item of a request or a response, or a part of its content. */
export type Item = Record<string, unknown>;

export interface PartsOptions {
  /** Called with the ids of files whose text belongs to the turn. */
  onFile: (id: string) => void;
  /** The provider has a Messages API: it needs its own thoughts back, reads documents, and sees pictures in results. */
  isNative: boolean;
}

/**
 * A content of the input as parts of a chat message, or as plain text.
 * @param path its place, for messages: `input.3.content`
 * @throws AppError `bad_request` for what a model does not support
 */
export function contentOf(content: unknown, path: string, options: PartsOptions): string | Item[] {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts = content.filter(isRecord).flatMap((part, at) => partsOf(part, `${path}.${at}`, options));
  // Models that take no list of parts are many.
  return parts.every(({ type }) => type === "text") ? parts.map(({ text }) => text).join("\n\n") : parts;
}

/** The texts of an answer, refusals included. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter(isRecord)
    .map((part) => (part["type"] === "refusal" ? part["refusal"] : part["text"]))
    .filter((text) => typeof text === "string")
    .join("");
}

function partsOf(part: Item, path: string, options: PartsOptions): Item[] {
  const { type, text, refusal } = part;
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
    case "summary_text":
      return typeof text === "string" && text !== "" ? [{ type: "text", text }] : [];
    case "refusal":
      return typeof refusal === "string" && refusal !== "" ? [{ type: "text", text: refusal }] : [];
    case "input_image":
      return [imagePart(part, path)];
    case "input_file":
      return filePart(part, path, options);
    case "input_audio":
      return [{ type, input_audio: part["input_audio"] }];
    default:
      throw cannotSay(path, `parts of the type ${JSON.stringify(String(type).slice(0, 100))}`);
  }
}

function imagePart({ image_url: given, file_id: fileId, detail }: Item, path: string): Item {
  // Some clients send the object of chat completions.
  const address = isRecord(given) ? given["url"] : given;
  // A file of the service's own is named by its id.
  const url = typeof address === "string" && address !== "" ? address : fileId;
  if (typeof url !== "string" || url === "")
    throw new AppError("bad_request", `${path}: expected an image_url or a file_id`, { param: path });
  return { type: "image_url", image_url: { url, ...(typeof detail === "string" ? { detail } : {}) } };
}

function filePart(
  { file_id: fileId, file_data: data, file_url: url, filename }: Item,
  path: string,
  options: PartsOptions,
): Item[] {
  const name = typeof filename === "string" && filename !== "" ? filename : "document";
  if (typeof fileId === "string" && fileId !== "") {
    options.onFile(fileId);
    return [];
  }
  if (typeof data === "string" && data !== "") return [{ type: "file", file: { filename: name, file_data: data } }];
  if (typeof url === "string" && url !== "") return [documentAt(url, path, options)];
  throw new AppError("bad_request", `${path}: expected file_data or a file_id`, { param: path });
}

/** Other providers already have the text of the document (`readFiles`). */
function documentAt(url: string, path: string, { isNative }: PartsOptions): Item {
  if (isNative) return { type: "document", source: { type: "url", url } };
  throw cannotSay(path, "files by URL");
}

export function cannotSay(path: string, what: string): AppError {
  return new AppError("bad_request", `${path}: this model cannot be given ${what}`, { param: path });
}
