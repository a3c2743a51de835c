import { inLanguage } from "../../languages/app.ts";
import { locale } from "../../lib/language.ts";

const count = new Intl.NumberFormat(locale);

/** Texts of previews of files. */
export const previewTexts = inLanguage("components/file-preview", {
  pdf: (name: string) => `Pages of ${name}`,
  page: (page: number, of: number) => `Page ${count.format(page)} of ${count.format(of)}`,
  pageOnly: (page: number) => `Page ${count.format(page)}`,
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  goTo: "Page",
  pdfFailed: "The pages couldn't be shown. Download the file to view it.",
  pdfEncrypted: "This file is protected by a password, so its pages can't be shown.",
  pageFailed: "This page couldn't be shown.",
  text: (name: string) => `Text of ${name}`,
  textFailed: "The text couldn't be loaded",
  earlier: "Earlier text",
  later: "Later text",
  noText: "This file has no text.",
  changed: "The file was read again since then. This passage may have moved.",
});
