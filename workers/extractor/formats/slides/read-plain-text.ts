import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";

const maxLines = 5000;

/** The paragraphs of a drawing (a:p), such as the boxes of a diagram. */
export function readPlainText(parts: ZipPackage, part: string): string[] {
  const lines: string[] = [];
  let line = "";
  let inText = false;
  const reading = readXml(parts.open(part), {
    open(name) {
      if (name === "p") line = "";
      inText = name === "t";
    },
    close(name) {
      inText = false;
      if (name === "p" && line.trim() !== "" && lines.length < maxLines) lines.push(line);
    },
    text(text) {
      if (inText) line += text;
    },
  });
  for (const _ of reading);
  return lines;
}
