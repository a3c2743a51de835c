import { AppError } from "../../errors.ts";
import { fromBase64 } from "../../lib/base64.ts";
import { pictureTypeOf } from "../../lib/picture-type.ts";

/** Largest picture that is kept, in bytes. */
const maxBytes = 300_000;

/** Types that are kept. */
const keptTypes = /^image\/(?:png|jpeg|gif|webp)$/;

/** The address of people's pictures, used in lists and sessions. */
export function profileImagePath(userId: string): string {
  return `/api/v1/users/${userId}/profile/image`;
}

/**
 * The picture in its stored form: an http(s) address, or a data URL whose bytes match its type; "" for none; undefined
 * if the text is the person's existing picture (clients send back what they received). SVG is rejected, because it can
 * contain scripts.
 * @throws AppError `validation_failed`.
 */
export function parseProfileImage(text: string, userId: string): string | undefined {
  if (text === "" || text === "/user.png") return "";
  if (text === profileImagePath(userId) || text.endsWith(profileImagePath(userId))) return undefined;
  return parsePictureUrl(text);
}

/**
 * A picture to store: an http(s) address, or a data URL whose bytes match its type.
 * @throws AppError `validation_failed` for the field `profile_image_url`.
 */
export function parsePictureUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && text.length <= 2000 && URL.canParse(text)) return new URL(text).href;
  const picture = readDataUrl(text);
  if (picture && picture.bytes.length <= maxBytes) return text;
  const expected = `an http(s) address, or a data URL of a PNG, JPEG, WebP or GIF of at most ${maxBytes / 1000} KB`;
  throw new AppError("validation_failed", `profile_image_url: expected ${expected}`, {
    param: "profile_image_url",
    issues: [{ path: "profile_image_url", message: `expected ${expected}` }],
  });
}

/** The bytes of a stored data URL and their actual type; undefined for anything else. */
export function readDataUrl(text: string): { type: string; bytes: Uint8Array<ArrayBuffer> } | undefined {
  const match = /^data:(image\/[a-z]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(text);
  if (!match) return undefined;
  try {
    const bytes = fromBase64(match[2]!);
    const type = pictureTypeOf(bytes);
    return type !== undefined && keptTypes.test(type) && type === match[1]!.replace("image/jpg", "image/jpeg")
      ? { type, bytes }
      : undefined;
  } catch {
    return undefined;
  }
}
