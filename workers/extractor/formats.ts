import type { Format } from "./document.ts";

/**
 * Who reads which type; types as `sniffType` names them. A format is loaded when the first document of its kind comes: what
 * others need is not even evaluated.
 */
const formats: { types: readonly string[]; load: () => Promise<Format> }[] = [
  {
    types: ["text/plain", "text/markdown"],
    load: async () => (await import("./formats/text.ts")).textFormat,
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
];

/** Undefined where nobody here reads this type. */
export async function findFormat(contentType: string): Promise<Format | undefined> {
  const found = formats.find(({ types }) => types.includes(contentType));
  return found?.load();
}
