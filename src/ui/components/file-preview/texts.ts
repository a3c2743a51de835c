const count = new Intl.NumberFormat();

/** What previews of files say. */
export const previewTexts = {
  pdf: (name: string) => `Pages of ${name}`,
  page: (page: number, of: number) => `Page ${count.format(page)} of ${count.format(of)}`,
  pageOnly: (page: number) => `Page ${count.format(page)}`,
  zoomIn: "Larger",
  zoomOut: "Smaller",
  goTo: "Page",
  pdfFailed: "The pages could not be shown. Download the file to look at it.",
  pdfEncrypted: "This file asks for a password, so its pages cannot be shown.",
  pageFailed: "This page could not be shown.",
  text: (name: string) => `Text of ${name}`,
  textFailed: "The text could not be loaded",
  earlier: "Earlier text",
  later: "Later text",
  noText: "There is no text.",
  changed: "The file has been read anew since; this place may have moved.",
};
