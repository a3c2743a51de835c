import { AppError } from "../../errors.ts";
import { cutText } from "../../lib/cut-text.ts";

/** What makes a name read as another one (`invoice\u202Efdp.exe`), or break its line. */
const misleading = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu;

/** A file's name without folders, without what no file system takes and without what hides its ending. */
export function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1)!;
  const clean = last.toWellFormed().replaceAll(misleading, "").trim();
  return clean === "" || clean === "." || clean === ".." ? "file" : cutText(clean, 200);
}

const contentType = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:\s*;[\x20-\x7e]*)?$/;

/** @throws AppError `validation_failed` */
export function cleanType(type: string): string {
  const plain = type.trim().toLowerCase();
  if (plain.length > 200 || !contentType.test(plain))
    throw new AppError("validation_failed", "content_type: not a media type", { param: "content_type" });
  return plain;
}
