import { decodeText } from "../decode-text.ts";
import type { Format } from "../document.ts";
import { countBytes } from "../progress.ts";

/** Plain text in any charset; Markdown is text whose headings structure the passages. */
export const textFormat: Format = {
  async *read(document) {
    const { contentType, size } = document.facts;
    yield { type: "kind", contentType, unit: "bytes", total: size };
    const progress = countBytes(size);
    for await (const text of decodeText(progress.watch(document.stream()))) {
      yield { type: "text", text, page: null, label: null };
      yield* progress.news();
    }
  },
};
