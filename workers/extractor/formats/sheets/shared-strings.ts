import { DocumentError } from "../../document.ts";
import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";

const maxBytes = 48e6;
const maxStrings = 2_000_000;

/**
 * The texts of a workbook, which its cells name by number. Side by side as bytes: as strings of their own, the million that a
 * workbook may have would take ten times the room.
 */
export class SharedStrings {
  #bytes = Buffer.alloc(64 * 1024);
  #ends = new Uint32Array(4096);
  #count = 0;

  constructor(parts: ZipPackage, part: string) {
    let text = "";
    let inText = false;
    let phonetic = 0;
    const reading = readXml(parts.open(part), {
      open: (name) => {
        if (name === "si") text = "";
        if (name === "rPh") phonetic += 1;
        inText = name === "t" && phonetic === 0;
      },
      close: (name) => {
        inText = false;
        if (name === "rPh") phonetic -= 1;
        if (name === "si") this.#add(text);
      },
      text: (piece) => {
        if (inText) text += piece;
      },
    });
    for (const _ of reading);
  }

  get(index: number): string {
    if (!(index >= 0 && index < this.#count)) return "";
    return this.#bytes.toString("utf8", index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]);
  }

  #add(text: string): void {
    const start = this.#count === 0 ? 0 : this.#ends[this.#count - 1]!;
    const end = start + Buffer.byteLength(text);
    if (end > maxBytes || this.#count >= maxStrings)
      throw new DocumentError("file_too_complex", "It has too many different texts");
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(end, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(this.#ends.length * 2);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#bytes.write(text, start);
    this.#ends[this.#count] = end;
    this.#count += 1;
  }
}
