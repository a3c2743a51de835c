import { DocumentError, type Format } from "../../document.ts";
import { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { countBytes } from "../../progress.ts";
import { RtfBody } from "./rtf-body.ts";
import { RtfTokens } from "./rtf-tokens.ts";

/** RTF: headings, lists, tables and notes, in any code page. */
export const richTextFormat: Format = {
  async *read(document) {
    const { size } = document.facts;
    yield { type: "kind", contentType: "application/rtf", unit: "bytes", total: size };
    const writer = new MarkdownWriter();
    const body = new RtfBody(writer);
    const tokens = new RtfTokens(body);
    const progress = countBytes(size);
    for await (const bytes of progress.watch(document.stream())) {
      tokens.push(bytes, false);
      yield* writer.take();
      yield* progress.news();
    }
    tokens.push(new Uint8Array(), true);
    if (tokens.depth > 0) throw new DocumentError("file_corrupt", "It is damaged: its end is missing");
    body.end();
    yield* writer.take();
    yield { type: "end", pages: null, title: body.title };
  },
};
