import { AppError } from "../../errors.ts";
import { readDataUrl } from "../../people/users/parse-profile-image.ts";

/** Maximum size of a model's stored picture, in bytes. */
const maxBytes = 300_000;
const servedAt = "/api/v1/models/model/profile/image";

/** The change to a model's picture: `keep` it, have none (`null`), or store this address. */
export type PictureChange = "keep" | { url: string | null };

/**
 * Reads `meta.profile_image_url`. Clients send back the address that they received: then the picture stays. Paths of a
 * client's own pictures are ignored. SVG is rejected, because it can contain scripts.
 * @throws AppError `validation_failed`.
 */
export function parsePicture(text: string | null | undefined): PictureChange {
  if (!text) return { url: null };
  if (text.startsWith(servedAt) || (URL.canParse(text) && new URL(text).pathname === servedAt)) return "keep";
  if (text.startsWith("/")) return { url: null };
  if (/^https?:\/\//i.test(text) && text.length <= 2000 && URL.canParse(text)) return { url: new URL(text).href };
  const picture = readDataUrl(text);
  if (picture && picture.bytes.length <= maxBytes) return { url: text };
  const message = `Expected an http(s) address, or a data URL of a PNG, JPEG, WebP or GIF of at most ${maxBytes / 1000} KB`;
  throw new AppError("validation_failed", message, {
    param: "meta.profile_image_url",
    issues: [{ path: "meta.profile_image_url", message }],
  });
}
