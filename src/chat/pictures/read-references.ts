import { isRecord } from "../../lib/json.ts";
import { pictureType } from "../../shared/vision.ts";

type Json = Record<string, unknown>;

/** A place in the messages of a request where a picture stands. */
export interface PicturePart {
  /** Which message, and which part of it. */
  message: number;
  at: number;
  /** Its address: a data URL, a web address, or a file of the service. */
  url: string;
  /** The id of that file. */
  fileId: string | undefined;
}

const fileId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const filePath = /^\/api\/v1\/files\/([^/?#]+)(?:\/content)?(?:[?#].*)?$/;

/**
 * The file of the service that an address refers to: its id alone, its path, or that path below the service's own
 * address.
 * @param origin the service's own address, without a path
 */
export function fileIdIn(url: string, origin: string): string | undefined {
  if (fileId.test(url)) return url;
  const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  return filePath.exec(path)?.[1];
}

/** The places of pictures in the messages; invalid entries are skipped. */
export function findPictures(messages: readonly unknown[], origin: string): PicturePart[] {
  return messages.flatMap((message, number) => {
    const content = isRecord(message) ? message["content"] : undefined;
    if (!Array.isArray(content)) return [];
    return content.flatMap((part, at): PicturePart[] => {
      const url = urlOf(part);
      return url === undefined ? [] : [{ message: number, at, url, fileId: fileIdIn(url, origin) }];
    });
  });
}

function urlOf(part: unknown): string | undefined {
  if (!isRecord(part) || part["type"] !== "image_url") return undefined;
  const { image_url: image } = part;
  const url = isRecord(image) ? image["url"] : image;
  return typeof url === "string" ? url : undefined;
}

/** Ids of attached files that may be pictures: those declared as pictures, and those without a type. */
export function maybePictures(files: unknown): string[] {
  return (Array.isArray(files) ? files.filter(isRecord) : []).flatMap((entry) => pictureIdOf(entry) ?? []);
}

/** File names that are not those of pictures. */
const otherName = /\.(?!(?:png|jpe?g|gif|webp)$)\w{1,5}$/i;

/** The id of an attached file that is, or may be, a picture. */
export function pictureIdOf(entry: Json): string | undefined {
  if (entry["type"] !== "file") return undefined;
  const file = isRecord(entry["file"]) ? entry["file"] : {};
  const meta = isRecord(file["meta"]) ? file["meta"] : {};
  const type = entry["content_type"] ?? meta["content_type"];
  if (typeof type === "string" && type !== "") {
    if (!pictureType.test(type)) return undefined;
  } else if (otherName.test(String(entry["name"] ?? file["filename"] ?? ""))) return undefined;
  const id = [entry["id"], file["id"]].find((each) => typeof each === "string" && fileId.test(each));
  return id as string | undefined;
}
