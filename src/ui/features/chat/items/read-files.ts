import { isRecord, textField } from "../../../lib/live/live-state.ts";
import { safeLink } from "./safe-link.ts";

/** A file that belongs to a message. */
export interface MessageFile {
  /** `collection`: a base of knowledge. */
  kind: "file" | "collection";
  /** Of what this service keeps. */
  id: string | undefined;
  name: string;
  /** Where it is; undefined for what cannot be opened. */
  url: string | undefined;
  isImage: boolean;
  /** In bytes. */
  size: number | undefined;
}

/** The files of a message, from what uploads, tools and plugins of Open WebUI write: fields may stand inside `file` or `meta`. */
export function readFiles(raw: readonly unknown[]): MessageFile[] {
  return raw.flatMap((item) => {
    if (typeof item === "string") return fileOf({ url: item });
    return isRecord(item) ? fileOf(item) : [];
  });
}

function fileOf(item: Record<string, unknown>): MessageFile[] {
  const inner = isRecord(item["file"]) ? item["file"] : {};
  const metas = [item, inner, item["meta"], inner["meta"]].filter(isRecord);
  const first = (...names: string[]): string =>
    metas.flatMap((each) => names.map((name) => textField(each, name))).find(Boolean) ?? "";
  const type = first("content_type", "mime_type", "contentType");
  const id = first("id");
  const address = first("url");
  if (item["type"] === "collection") {
    const base = { kind: "collection" as const, url: id ? `/knowledge/${encodeURIComponent(id)}` : undefined };
    return id ? [{ ...base, id, name: first("name") || id, isImage: false, size: undefined }] : [];
  }
  const isPicture = /^data:image\/(?:png|jpe?g|gif|webp|avif);/iu.test(address);
  const url = isPicture
    ? address
    : (safeLink(address) ?? (id ? `/api/v1/files/${encodeURIComponent(id)}/content` : undefined));
  const isImage = isPicture || item["type"] === "image" || type.startsWith("image/");
  const name = first("name", "filename") || nameIn(address) || id;
  if (!name && !url) return [];
  const size = metas.map((each) => each["size"]).find((each) => typeof each === "number");
  // What has an address elsewhere is not kept here, whatever its id is.
  const own = id && (!address || safeLink(address)?.startsWith("/api/v1/files/")) ? id : undefined;
  return [{ kind: "file", id: own, name, url, isImage: isImage && url !== undefined, size }];
}

function nameIn(address: string): string {
  if (address.startsWith("data:")) return "";
  return decode(address.split(/[?#]/u)[0]?.split("/").at(-1) ?? "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
