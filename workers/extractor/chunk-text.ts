import type { ChunkOptions, PageMark, Passage } from "../../src/documents/files/extraction/extractor.ts";
import { isPlainType } from "../../src/documents/files/text-types.ts";
import { Chunker } from "./passages/chunker.ts";
import { isHigh } from "./passages/split-sentences.ts";

/** Bytes of the line with the marks: a text of 100,000 pages. */
const maxMarksBytes = 16e6;

/**
 * Cuts a text that is there already.
 * @param body the marks of its pages as JSON in the first line, then the text
 * @throws Error when the body is not of this form
 */
export async function* chunkText(
  body: ReadableStream<Uint8Array>,
  options: ChunkOptions & { contentType?: string },
): AsyncGenerator<Passage[] | { done: true }, undefined> {
  const chunker = new Chunker(options, !isPlainType(options.contentType ?? "text/markdown"));
  const texts = decode(body);
  const { marks, rest } = await readMarks(texts);
  const pages = new Pages(marks);
  const cut = (text: string) => pages.split(text).flatMap((part) => chunker.push(part.text, part.page, part.label));
  const first = cut(rest);
  if (first.length > 0) yield first;
  for await (const text of texts) {
    const passages = cut(text);
    if (passages.length > 0) yield passages;
  }
  const last = chunker.end();
  if (last.length > 0) yield last;
  yield { done: true };
}

/** Never parted within a character. */
async function* decode(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
  let rest = "";
  for await (const bytes of body) {
    const text = rest + decoder.decode(bytes, { stream: true });
    const end = isHigh(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    rest = text.slice(end);
    if (end > 0) yield text.slice(0, end);
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

async function readMarks(texts: AsyncGenerator<string, undefined>): Promise<{ marks: PageMark[]; rest: string }> {
  const parts: string[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await texts.next();
    if (done || length > maxMarksBytes) throw new Error("the page marks are incomplete");
    const end = value.indexOf("\n");
    parts.push(end === -1 ? value : value.slice(0, end));
    length += value.length;
    if (end !== -1) return { marks: JSON.parse(parts.join("")) as PageMark[], rest: value.slice(end + 1) };
  }
}

/** On which page the next piece of a text lies. */
class Pages {
  readonly #marks: readonly PageMark[];
  #next = 0;
  #at = 0;

  constructor(marks: readonly PageMark[]) {
    this.#marks = marks;
  }

  /** Parts of the next piece, each on one page; what lies between two pages belongs to none. */
  split(text: string): { text: string; page: number | null; label: string | null }[] {
    const parts: ReturnType<Pages["split"]> = [];
    const end = this.#at + text.length;
    let from = this.#at;
    while (from < end) {
      while (this.#next < this.#marks.length && this.#marks[this.#next]!.end <= from) this.#next++;
      const mark = this.#marks[this.#next];
      const isOn = mark !== undefined && mark.start <= from;
      const until = Math.min(end, isOn ? mark.end : (mark?.start ?? end));
      const part = text.slice(from - this.#at, until - this.#at);
      parts.push({ text: part, page: isOn ? mark.page : null, label: isOn ? mark.label : null });
      from = until;
    }
    this.#at = end;
    return parts;
  }
}
