import { isRecord, textField } from "../../../lib/live/live-state.ts";
import { listOf } from "./message-items.ts";
import { safeLink } from "./safe-link.ts";

/** A passage that an answer rests on. */
export interface Passage {
  text: string;
  /** Where in the source, such as a page. */
  page: string;
  /** How near it is to the question, as the search said. */
  distance: number | undefined;
}

/** A document or page with the passages taken from it. */
export interface Source {
  name: string;
  url: string | undefined;
  passages: Passage[];
}

/**
 * The sources of an answer in the order of their numbers, from the peer's shape `{source, document, metadata, distances}`:
 * passages of the same document are one source, wherever they came from. Never throws; what cannot be read is left out.
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
      const id = textField(meta, "source") || textField(own, "id") || textField(own, "name") || textField(own, "url");
      const name = textField(meta, "name") || textField(own, "name") || id || textField(own, "url");
      if (!name) continue;
      const source = found.get(id || name) ?? { name, url: undefined, passages: [] };
      source.url ??= safeLink(textField(meta, "url") || textField(own, "url") || id);
      found.set(id || name, source);
      const text = documents[at];
      const distance = distances[at];
      if (typeof text === "string" && text.trim() !== "" && !source.passages.some((passage) => passage.text === text))
        source.passages.push({
          text,
          page: pageOf(meta),
          distance: typeof distance === "number" ? distance : undefined,
        });
    }
  }
  return [...found.values()];
}

/** `page` counts from 0 where PDF readers wrote it, `page_label` is what the page says of itself. */
function pageOf(meta: Record<string, unknown>): string {
  const label = textField(meta, "page_label");
  if (label) return label;
  return typeof meta["page"] === "number" && Number.isInteger(meta["page"]) ? String(meta["page"] + 1) : "";
}
