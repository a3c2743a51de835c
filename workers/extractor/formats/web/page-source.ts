import { decodeEntities } from "../../xml/attributes.ts";

const marker = ";base64,";

/** The charset that a page declares; unless it contradicts how the page was read so far. */
export function declaredCharset(head: Uint8Array): string | undefined {
  const text = new TextDecoder("windows-1252").decode(head.subarray(0, 2048));
  const found =
    /<meta\b[^>]{0,300}charset\s*=\s*["']?\s*([\w-]+)/i.exec(text) ??
    /<\?xml[^>]{0,200}encoding=["']([\w-]+)/i.exec(text);
  const name = found?.[1]?.toLowerCase();
  return name === undefined || /^utf-?(8|16)/.test(name) ? undefined : name;
}

/** The page's title, if it is in this text. */
export function findTitle(text: string): string | null {
  const [, title = ""] = /<title\b[^>]{0,200}>([^<]{1,1000})/i.exec(text) ?? [];
  return decodeEntities(title).replaceAll(/\s+/g, " ").trim() || null;
}

/** The same without inline data of pictures and fonts. */
export async function* dropInlineData(texts: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let rest = "";
  let isDropping = false;
  for await (const text of texts) {
    const all = rest + text;
    const kept: string[] = [];
    let at = 0;
    while (at < all.length) {
      if (isDropping) {
        at = endOfData(all, at);
        isDropping = at === all.length;
        continue;
      }
      const found = all.indexOf(marker, at);
      const end = found === -1 ? all.length : found + marker.length;
      kept.push(all.slice(at, end));
      at = end;
      isDropping = found !== -1;
    }
    const clean = kept.join("");
    // The marker may go on in the next piece.
    const end = isDropping ? clean.length : Math.max(0, clean.length - marker.length);
    rest = clean.slice(end);
    if (end > 0) yield clean.slice(0, end);
  }
  if (rest !== "") yield rest;
}

function endOfData(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isData =
      (unit >= 48 && unit <= 57) ||
      (unit >= 65 && unit <= 90) ||
      (unit >= 97 && unit <= 122) ||
      "+/=-_%".includes(text[at]!);
    if (!isData) return at;
  }
  return text.length;
}
