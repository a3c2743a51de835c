import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";

/** The meaning of a paragraph's style. */
export interface Style {
  /** 1 to 9. */
  heading?: number | undefined;
  isTitle?: boolean | undefined;
  /** Line of a table of contents: it repeats what stands elsewhere. */
  isContents?: boolean | undefined;
  isCode?: boolean | undefined;
  list?: { number: string; level: number } | undefined;
}

interface RawStyle extends Style {
  name: string;
  basedOn?: string;
  number?: string;
  level?: number;
}

const maxStyles = 5000;

/** Styles of paragraphs by id, including what they inherit. */
export function readStyles(parts: ZipPackage, part: string): Map<string, Style> {
  const raw = readRaw(parts, part);
  const styles = new Map<string, Style>();
  for (const [id, style] of raw) {
    const line: RawStyle[] = [];
    for (
      let at: RawStyle | undefined = style;
      at && line.length < 20;
      at = at.basedOn === undefined ? undefined : raw.get(at.basedOn)
    )
      line.push(at);
    const number = line.find((one) => one.number !== undefined)?.number;
    styles.set(id, {
      heading: line.map(headingOf).find((heading) => heading !== undefined),
      isTitle: /^title$/i.test(style.name),
      isContents: /^(toc|table of figures|index) ?\d*$/i.test(style.name),
      isCode: /^(html preformatted|source code|code|preformatted text|macro)$/i.test(style.name),
      list:
        number === undefined || number === "0"
          ? undefined
          : { number, level: line.find((one) => one.level !== undefined)?.level ?? 0 },
    });
  }
  return styles;
}

/** 0 says that it is explicitly none. */
function headingOf(style: RawStyle): number | undefined {
  const named = /^heading ([1-9])$/i.exec(style.name);
  return named ? Number(named[1]) : style.heading;
}

function readRaw(parts: ZipPackage, part: string): Map<string, RawStyle> {
  const styles = new Map<string, RawStyle>();
  let style: RawStyle | undefined;
  const reading = readXml(parts.open(part), {
    open(name, attributes) {
      if (name === "style") {
        const isParagraph = attributes.get("type") === "paragraph" && styles.size < maxStyles;
        style = isParagraph ? { name: "" } : undefined;
        if (style) styles.set(attributes.get("styleId") ?? "", style);
      }
      if (!style) return;
      if (name === "name") style.name = attributes.get("val") ?? "";
      if (name === "basedOn") style.basedOn = attributes.get("val") ?? "";
      if (name === "numId") style.number = attributes.get("val") ?? "0";
      if (name === "ilvl") style.level = attributes.number("val") ?? 0;
      // 9 is body text.
      const outline = name === "outlineLvl" ? attributes.number("val") : undefined;
      if (outline !== undefined) style.heading = outline < 9 ? outline + 1 : undefined;
    },
    close(name) {
      if (name === "style") style = undefined;
    },
    text: () => undefined,
  });
  for (const _ of reading);
  return styles;
}
