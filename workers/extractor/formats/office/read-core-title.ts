import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";

/** The title in the properties of an Office or OpenDocument file; null if there is none. */
export function readCoreTitle(parts: ZipPackage): string | null {
  const part = parts.has("docProps/core.xml") ? "docProps/core.xml" : "meta.xml";
  let title = "";
  let inTitle = false;
  const reading = readXml(parts.open(part), {
    open(name) {
      inTitle = name === "title";
    },
    close() {
      inTitle = false;
    },
    text(text) {
      if (inTitle && title.length < 500) title += text;
    },
  });
  for (const _ of reading);
  return title.trim().slice(0, 500) || null;
}
