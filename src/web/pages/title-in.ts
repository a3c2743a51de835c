import { utf8Text } from "../../lib/utf8.ts";

/** The title of a web page whose first bytes these are; empty where there is none among them. */
export function titleIn(bytes: Uint8Array): string {
  const [, title = ""] = /<title[^>]{0,200}>([^<]{1,1000})<\/title/i.exec(utf8Text(bytes)) ?? [];
  return title
    .replaceAll(/&(?:amp|#38);/gi, "&")
    .replaceAll(/&(?:quot|#34);/gi, '"')
    .replaceAll(/&(?:#39|apos);/gi, "'")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 150)
    .toWellFormed();
}
