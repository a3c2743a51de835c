/** The texts in rendered Markdown. */
export const texts = {
  copy: "Copy",
  copied: "Copied",
  notCopied: "Copying failed",
  copyCode: "Copy code",
  code: "Code",
  codeIn: (language: string) => `Code in ${language}`,
  plainCode: "text",
  table: "Table",
  picture: (what: string, host: string) => (what ? `Picture: ${what} (${host})` : `Picture (${host})`),
  taskDone: "Done",
  taskOpen: "Open",
};
