import { isRecord, textField } from "../../../lib/live/live-state.ts";
import { listOf } from "./message-items.ts";
import { safeLink } from "./safe-link.ts";

/** A passage that an answer rests on. */
export interface Passage {
  text: string;
  /** Where in the source, as people say it: a page, a slide, a sheet. Empty when nobody knows. */
  page: string;
  /** The page, from 1. */
  pageNumber: number | undefined;
  /** The headings that it stands under. */
  headings: string[];
  /** Where in the text of its file it is, in UTF-16 units. */
  start: number | undefined;
  end: number | undefined;
  /** How near it is to the question, as the search said. */
  distance: number | undefined;
  /** What the answer calls it; undefined where only the source has a number. */
  number: number | undefined;
}

/** A document or page with the passages taken from it. */
export interface Source {
  name: string;
  url: string | undefined;
  /** The file of this service that it is. */
  fileId: string | undefined;
  /** What the answer calls it, where its passages have no numbers of their own. */
  number: number;
  passages: Passage[];
}

/** Something with a number: a passage, or a source as a whole. */
export interface SourceEntry {
  number: number;
  source: Source;
  passage: Passage | undefined;
}

/**
 * The sources of an answer, from Open WebUI's shape `{source, document, metadata, distances}`: passages of the same document are
 * one source, wherever they came from. Passages of knowledge have numbers (`metadata[].number`); sources without any get the next
 * free ones in their order. Never throws; what cannot be read is left out.
 */
export function readSources(raw: readonly unknown[]): Source[] {
  const found = new Map<string, Source>();
  for (const item of raw.filter(isRecord)) {
    const own = isRecord(item["source"]) ? item["source"] : { name: item["source"] };
    const documents = typeof item["document"] === "string" ? [item["document"]] : listOf(item["document"]);
    const metadata = Array.isArray(item["metadata"]) ? listOf(item["metadata"]) : [item["metadata"]];
    const distances = listOf(item["distances"]);
    for (let at = 0; at < Math.max(1, documents.length); at++) {
      const noted = metadata[at];
      const meta = isRecord(noted) ? noted : {};
      const fileId = textField(meta, "file_id") || (own["type"] === "file" ? textField(own, "id") : "");
      const id =
        fileId || textField(meta, "source") || textField(own, "id") || textField(own, "name") || textField(own, "url");
      const name = textField(meta, "name") || textField(own, "name") || id || textField(own, "url");
      if (!name) continue;
      const source = found.get(id || name) ?? {
        name,
        url: undefined,
        fileId: fileId || undefined,
        number: 0,
        passages: [],
      };
      source.url ??= safeLink(textField(meta, "url") || textField(own, "url") || id);
      found.set(id || name, source);
      const text = documents[at];
      const distance = distances[at];
      const number = wholeNumber(meta["number"]);
      const isKnown = source.passages.some(
        (passage) => passage.text === text && (number === undefined || passage.number === number),
      );
      if (typeof text === "string" && text.trim() !== "" && !isKnown)
        source.passages.push({
          text,
          ...placeOf(meta),
          distance: typeof distance === "number" ? distance : undefined,
          number,
        });
    }
  }
  return withNumbers([...found.values()]);
}

/** Everything that an answer can name by a number, in the order of the numbers. */
export function sourceEntries(sources: readonly Source[]): SourceEntry[] {
  return sources
    .flatMap((source): SourceEntry[] => {
      const numbered = source.passages.filter(({ number }) => number !== undefined);
      if (numbered.length === 0) return [{ number: source.number, source, passage: undefined }];
      return numbered.map((passage) => ({ number: passage.number ?? 0, source, passage }));
    })
    .sort((a, b) => a.number - b.number);
}

function withNumbers(sources: Source[]): Source[] {
  const given = sources.flatMap(({ passages }) => passages.flatMap(({ number }) => number ?? []));
  let next = Math.max(0, ...given) + 1;
  for (const source of sources)
    source.number = source.passages.find(({ number }) => number !== undefined)?.number ?? next++;
  return sources;
}

/**
 * Where in its document a passage stands. Passages of this service say `start` and count pages from 1; PDF readers of plugins
 * write a `page` that counts from 0, and `page_label`, which is what the page says of itself.
 */
function placeOf(meta: Record<string, unknown>): Pick<Passage, "page" | "pageNumber" | "headings" | "start" | "end"> {
  const start = wholeNumber(meta["start"], 0);
  const isOwn = start !== undefined;
  const page = wholeNumber(meta["page"], 0);
  const pageNumber = page === undefined ? undefined : isOwn ? page : page + 1;
  const label = textField(meta, isOwn ? "label" : "page_label");
  return {
    page: label || (pageNumber === undefined ? "" : String(pageNumber)),
    pageNumber: pageNumber === 0 ? undefined : pageNumber,
    headings: listOf(meta["headings"]).filter((heading): heading is string => typeof heading === "string"),
    start,
    end: wholeNumber(meta["end"], 0),
  };
}

function wholeNumber(value: unknown, least = 1): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= least ? value : undefined;
}
