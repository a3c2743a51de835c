import { decodeText } from "../../decode-text.ts";
import type { Format } from "../../document.ts";
import { countBytes } from "../../progress.ts";
import { XmlParser } from "../../xml/read-xml.ts";
import { DrawingLines, OutlineLines } from "./xml-lines.ts";

/** XML of any kind: a line for each element, with its name, attributes and text. Of drawings only the texts. */
export const xmlFormat: Format = {
  async *read(document) {
    const { contentType, size } = document.facts;
    yield { type: "kind", contentType, unit: "bytes", total: size };
    const progress = countBytes(size);
    const lines = contentType === "image/svg+xml" ? new DrawingLines() : new OutlineLines();
    const parser = new XmlParser(lines);
    for await (const text of decodeText(progress.watch(document.stream()), declaredEncoding(document.head))) {
      parser.push(text);
      const made = lines.take();
      if (made !== "") yield { type: "text", text: made, page: null, label: null };
      yield* progress.news();
    }
    parser.end();
    yield { type: "text", text: lines.take(), page: null, label: null };
  },
};

/** As its first line says; UTF-8 and UTF-16 show themselves. */
function declaredEncoding(head: Uint8Array): string | undefined {
  const text = new TextDecoder("windows-1252").decode(head.subarray(0, 200));
  const name = /^<\?xml[^>]{0,150}encoding=["']([\w.-]+)["']/.exec(text)?.[1]?.toLowerCase();
  return name === undefined || /^utf-?(8|16)/.test(name) ? undefined : name;
}
