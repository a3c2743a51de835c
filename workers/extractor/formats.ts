import { textTypes } from "../../src/documents/files/text-types.ts";
import type { Format } from "./document.ts";

/**
 * Who reads which type; types as `sniffType` names them. A format is loaded when the first document of its kind comes: what
 * others need is not even evaluated.
 */
const formats: { types: readonly string[]; load: () => Promise<Format> }[] = [
  { types: ["text/html"], load: async () => (await import("./formats/web/html.ts")).htmlFormat },
  {
    types: ["text/csv", "text/tab-separated-values"],
    load: async () => (await import("./formats/table/csv.ts")).csvFormat,
  },
  { types: ["application/json"], load: async () => (await import("./formats/data/json.ts")).jsonFormat },
  {
    types: ["application/x-ipynb+json"],
    load: async () => (await import("./formats/data/notebook.ts")).notebookFormat,
  },
  {
    types: ["application/xml", "image/svg+xml"],
    load: async () => (await import("./formats/data/xml.ts")).xmlFormat,
  },
  { types: ["message/rfc822"], load: async () => (await import("./formats/mail/mail.ts")).mailFormat },
  { types: ["application/mbox"], load: async () => (await import("./formats/mail/mailbox.ts")).mailboxFormat },
  {
    types: [
      "image/png",
      "image/jpeg",
      "image/gif",
      "image/webp",
      "image/tiff",
      "image/bmp",
      "image/avif",
      "image/heic",
      "image/x-icon",
    ],
    load: async () => (await import("./formats/picture.ts")).pictureFormat,
  },
  { types: ["application/pdf"], load: async () => (await import("./formats/pdf/pdf.ts")).pdfFormat },
  {
    types: ["application/rtf"],
    load: async () => (await import("./formats/rich-text/rich-text.ts")).richTextFormat,
  },
  {
    types: [
      "application/x-ole-storage",
      "application/vnd.ms-excel",
      "application/msword",
      "application/vnd.ms-powerpoint",
      "application/vnd.ms-outlook",
    ],
    load: async () => (await import("./formats/compound.ts")).compoundFormat,
  },
  {
    types: [
      "application/zip",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.oasis.opendocument.text",
      "application/vnd.oasis.opendocument.presentation",
      "application/vnd.oasis.opendocument.spreadsheet",
      "application/epub+zip",
    ],
    load: async () => (await import("./formats/package.ts")).packageFormat,
  },
  // All other kinds of text are read as they are.
  { types: textTypes, load: async () => (await import("./formats/text.ts")).textFormat },
];

/** Undefined where nobody here reads this type. */
export async function findFormat(contentType: string): Promise<Format | undefined> {
  const found = formats.find(({ types }) => types.includes(contentType));
  return found?.load();
}
