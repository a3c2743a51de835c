import { decodeText } from "../../decode-text.ts";
import type { Format } from "../../document.ts";
import { countBytes } from "../../progress.ts";
import { JsonSpreader } from "./spread-json.ts";

/** Characters of a line, on average, from which on nobody wrote it for people. */
const longLine = 400;

/** JSON: unchanged if it has lines, otherwise one value per line. */
export const jsonFormat: Format = {
  async *read(document) {
    const { contentType, size } = document.facts;
    yield { type: "kind", contentType, unit: "bytes", total: size };
    const progress = countBytes(size);
    let spreader: JsonSpreader | undefined;
    let isFirst = true;
    for await (const text of decodeText(progress.watch(document.stream()))) {
      if (isFirst && text.length / text.split("\n").length > longLine) spreader = new JsonSpreader();
      isFirst = false;
      yield { type: "text", text: spreader?.push(text) ?? text, page: null, label: null };
      yield* progress.news();
    }
  },
};
