import { streamHtmlToMarkdown } from "mdream";
import { decodeText } from "../../decode-text.ts";
import type { Format } from "../../document.ts";
import { countBytes } from "../../progress.ts";
import { declaredCharset, dropInlineData, findTitle } from "./page-source.ts";
import { tidyMarkdown } from "./tidy-markdown.ts";

/** Elements that are not text or not page content: code, controls, navigation. */
export const leftOut = [
  "script",
  "style",
  "template",
  "noscript",
  "nav",
  "button",
  "select",
  "textarea",
  "input",
  "iframe",
  "object",
  "svg",
  "canvas",
];

/** Web pages as Markdown, while they arrive. */
export const htmlFormat: Format = {
  async *read(document) {
    const { contentType, size } = document.facts;
    yield { type: "kind", contentType, unit: "bytes", total: size };
    const progress = countBytes(size);
    const source = decodeText(progress.watch(document.stream()), declaredCharset(document.head));
    let title: string | null | undefined;
    const noteTitle = (text: string) => (title ??= findTitle(text));
    const pieces = streamHtmlToMarkdown(toStream(dropInlineData(source), noteTitle), { filter: { exclude: leftOut } });
    for await (const text of tidyMarkdown(pieces)) {
      yield { type: "text", text, page: null, label: null };
      yield* progress.news();
    }
    yield { type: "end", pages: null, title: title ?? null };
  },
};

function toStream(texts: AsyncIterator<string>, look: (text: string) => void): ReadableStream<string> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) return controller.close();
      look(value);
      controller.enqueue(value);
    },
    async cancel() {
      await texts.return?.();
    },
  });
}
