import { AppError } from "../../errors.ts";
import { fromBase64 } from "../../lib/base64.ts";

/** Largest picture that is kept, in bytes. */
const maxBytes = 300_000;

const signatures: readonly (readonly [type: string, matches: (bytes: Uint8Array) => boolean])[] = [
  ["image/png", (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ["image/jpeg", (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff])],
  ["image/gif", (bytes) => startsWith(bytes, [0x47, 0x49, 0x46, 0x38])],
  [
    "image/webp",
    (bytes) => startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]),
  ],
];

function startsWith(bytes: Uint8Array, expected: number[]): boolean {
  return expected.every((byte, index) => bytes[index] === byte);
}

/** Where everyone's picture is served; what lists and sessions name. */
export function profileImagePath(userId: string): string {
  return `/api/v1/users/${userId}/profile/image`;
}

/**
 * The picture in the form in which it is stored: an http(s) address, or a data URL whose bytes are what its type says;
 * "" for none; undefined where the text names the picture that the person has already (clients send back what they got).
 * SVG is refused: it can hold scripts.
 * @throws AppError `validation_failed`.
 */
export function parseProfileImage(text: string, userId: string): string | undefined {
  if (text === "" || text === "/user.png") return "";
  if (text === profileImagePath(userId) || text.endsWith(profileImagePath(userId))) return undefined;
  return parsePictureUrl(text);
}

/**
 * A picture to be stored: an http(s) address, or a data URL whose bytes are what its type says.
 * @throws AppError `validation_failed`, of the field `profile_image_url`.
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

/** The bytes of a stored data URL and the type that they really are; undefined for anything else. */
export function readDataUrl(text: string): { type: string; bytes: Uint8Array<ArrayBuffer> } | undefined {
  const match = /^data:(image\/[a-z]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(text);
  if (!match) return undefined;
  try {
    const bytes = fromBase64(match[2]!);
    const type = signatures.find(([, matches]) => matches(bytes))?.[0];
    return type !== undefined && type === match[1]!.replace("image/jpg", "image/jpeg") ? { type, bytes } : undefined;
  } catch {
    return undefined;
  }
}
