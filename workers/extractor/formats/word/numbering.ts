import { formatNumber } from "../../markdown/format-number.ts";
import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";

interface Level {
  format: string;
  /** Such as "%1.%2". */
  text: string;
  start: number;
}

/** Counts the lists and numbered headings of a document. */
export class Numbering {
  readonly #lists: Map<string, Level[]>;
  /** By list, then by level. Lists of one definition go on counting. */
  readonly #counts = new Map<Level[], number[]>();

  constructor(parts: ZipPackage, part: string) {
    this.#lists = readLists(parts, part);
  }

  /**
   * The marker of the next item: "-" for bullets, "1.2" as the document writes it, empty if it shows none. Undefined if
   * the list does not exist.
   */
  next(list: string, level: number): string | undefined {
    const levels = this.#lists.get(list);
    const at = levels?.[level];
    if (!levels || !at) return undefined;
    let counts = this.#counts.get(levels);
    if (!counts) this.#counts.set(levels, (counts = []));
    counts[level] = (counts[level] ?? at.start - 1) + 1;
    counts.length = level + 1;
    if (at.format === "bullet") return "-";
    if (at.format === "none") return "";
    return at.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
      const index = Number(digit) - 1;
      const of = levels[index];
      return of ? formatNumber(counts[index] ?? of.start, of.format) : "";
    });
  }
}

const maxLists = 20_000;

function readLists(parts: ZipPackage, part: string): Map<string, Level[]> {
  const definitions = new Map<string, Level[]>();
  const lists = new Map<string, Level[]>();
  let levels: Level[] | undefined;
  let level: Level | undefined;
  let list: string | undefined;
  const reading = readXml(parts.open(part), {
    open(name, attributes) {
      if (name === "abstractNum" && definitions.size < maxLists)
        definitions.set(attributes.get("abstractNumId") ?? "", (levels = []));
      if (name === "num") list = attributes.get("numId");
      if (name === "abstractNumId" && list !== undefined && lists.size < maxLists)
        lists.set(list, definitions.get(attributes.get("val") ?? "") ?? []);
      if (name === "lvl" && levels) {
        const index = attributes.number("ilvl") ?? 0;
        if (index >= 0 && index < 9) levels[index] = level = { format: "decimal", text: "", start: 1 };
      }
      if (!level) return;
      if (name === "numFmt") level.format = attributes.get("val") ?? "decimal";
      if (name === "lvlText") level.text = attributes.get("val") ?? "";
      if (name === "start") level.start = attributes.number("val") ?? 1;
    },
    close(name) {
      if (name === "abstractNum") levels = undefined;
      if (name === "lvl") level = undefined;
      if (name === "num") list = undefined;
    },
    text: () => undefined,
  });
  for (const _ of reading);
  return lists;
}
