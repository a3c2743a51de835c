import { DocumentError, type Format } from "../document.ts";

/** What models take. */
const readable = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Bytes. */
const maxBytes = 10e6;

/** Pictures: what is in them another has to read. */
export const pictureFormat: Format = {
  async *read(document) {
    const { contentType, pictures } = document.facts;
    if (!pictures)
      throw new DocumentError("file_no_text", "It is a picture, and no model for reading pictures is configured");
    if (!readable.has(contentType))
      throw new DocumentError(
        "file_unsupported",
        `Pictures of the type ${contentType} cannot be read: save it as PNG or JPEG`,
      );
    yield { type: "kind", contentType, unit: "pages", total: 1 };
    const bytes = await document.bytes(maxBytes);
    yield { type: "picture", page: null, contentType, base64: Buffer.from(bytes).toString("base64") };
    yield { type: "progress", done: 1, total: 1 };
  },
};
