import { cleanName } from "../../documents/files/clean-name.ts";

/** Ends of names for the types that say more than the name does. */
const endings: Readonly<Record<string, string>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "application/pdf": "pdf",
  "text/plain": "txt",
  "text/markdown": "md",
  "application/json": "json",
  "text/csv": "csv",
};

/** A file's name for a page: the last part of its address, with an ending that fits its type. */
export function nameOfPage(address: string, contentType: string, title = ""): string {
  const url = new URL(address);
  const last = decode(url.pathname.split("/").findLast((part) => part !== "") ?? "");
  const plain = title.replaceAll(/[\\/]/g, " ").trim() || last || url.hostname;
  const ending = endings[contentType];
  if (ending === undefined || plain.toLowerCase().endsWith(`.${ending}`)) return cleanName(plain);
  return cleanName(`${plain.replace(/\.(?:html?|php|aspx?)$/i, "").slice(0, 150)}.${ending}`);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
