import { inLanguage } from "../../languages/app.ts";

/** Texts in rendered Markdown. */
export const texts = inLanguage("lib/markdown", {
  copy: "Copy",
  copied: "Copied",
  notCopied: "Copying failed",
  copyCode: "Copy code",
  wrap: "Wrap",
  wrapLines: "Wrap lines",
  footnotes: "Footnotes",
  footnote: (number: number) => `Footnote ${number}`,
  footnoteBack: (number: number) => `Back to where footnote ${number} is mentioned`,
  code: "Code",
  codeIn: (language: string) => `Code in ${language}`,
  plainCode: "text",
  table: "Table",
  picture: (what: string, host: string) => (what ? `Picture: ${what} (${host})` : `Picture (${host})`),
  pictureFrom: (host: string) => `From ${host}`,
  showPicture: (what: string, host: string) => (what ? `Show picture: ${what} (${host})` : `Show picture (${host})`),
  showPictureHint: "Parley fetches the picture. The other site does not learn who you are.",
  openPicture: "Open",
  openPictureOf: (host: string) => `Open the picture on ${host}`,
  taskDone: "Done",
  taskOpen: "Open",
});
