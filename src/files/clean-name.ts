import { cutText } from "../chat/tools/cut-text.ts";
import { AppError } from "../errors.ts";

/** A file's name without folders and without what no file system takes. */
export function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1)!;
  const clean = last
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
  return clean === "" || clean === "." || clean === ".." ? "file" : cutText(clean, 200);
}

const contentType = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:\s*;[\x20-\x7e]*)?$/;

/** @throws AppError `validation_failed` */
export function cleanType(type: string): string {
  const plain = type.trim().toLowerCase();
  if (plain.length > 200 || !contentType.test(plain))
    throw new AppError("validation_failed", "content_type: this is none", { param: "content_type" });
  return plain;
}
