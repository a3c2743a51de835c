import type { LiteParse, ParsedPage, ParseSession } from "@llamaindex/liteparse-wasm";
import { type Document, DocumentError, type Format, type Piece } from "../../document.ts";
import { dropRunningLines } from "./drop-running-lines.ts";
import { withPdfEngine } from "./pdf-engine.ts";
import { takePicture } from "./take-picture.ts";
import { uprightPage } from "./upright-page.ts";

/** It is held as a whole, twice for a moment. */
const maxBytes = 100e6;
const maxPages = 20_000;
/** Pages that are read before anybody hears of them: a single one with a large drawing may take half a minute. */
const batchPages = 4;

const contentType = "application/pdf";
const config = {
  ocrEnabled: false,
  outputFormat: "markdown",
  imageMode: "off",
  quiet: true,
  maxPages,
  // One page that cannot be read costs that page.
  continueOnPageError: true,
  // What stands on each page is taken out here, and with more care: the library takes headings for it.
  keepHeadersFooters: true,
} as const;

/** PDF, page by page: headings, tables, lists. Pages without text are handed on as pictures where somebody can read them. */
export const pdfFormat: Format = {
  async *read(document) {
    const bytes = await document.bytes(maxBytes);
    yield* withPdfEngine((create) => readPages(document, bytes, (own) => create({ ...config, ...own })));
  },
};

async function* readPages(
  document: Document,
  bytes: Uint8Array,
  create: (own: Record<string, unknown>) => LiteParse,
): AsyncGenerator<Piece, undefined> {
  const session = await open(create({}), bytes);
  const total = session.totalPages;
  yield { type: "kind", contentType, unit: "pages", total };
  if (total > maxPages) throw new DocumentError("file_too_complex", `It has more than ${maxPages} pages`);
  const running = new Set<string>();
  let hasText = false;
  let failed = 0;
  for (let done = 0; ;) {
    const batch = await attempt(session.nextBatch());
    if (!batch) break;
    failed += batch.result.pageErrors.length;
    const pages: ParsedPage[] = [];
    for (const page of batch.result.pages) pages.push(await attempt(uprightPage(create, bytes, page)));
    const texts = dropRunningLines(pages.map(markdownOf), batch.startPage, running);
    for (const [index, page] of pages.entries()) {
      const label = page.pageLabel !== undefined && page.pageLabel !== String(page.pageNum) ? page.pageLabel : null;
      const text = texts[index]!;
      hasText ||= text !== "";
      if (text !== "") yield { type: "text", text: `${text}\n\n`, page: page.pageNum, label };
      else if (document.facts.pictures && isBlank(page)) yield* takePicture(create, bytes, page);
    }
    if (batch.endPage <= done) break;
    done = batch.endPage;
    yield { type: "progress", done, total };
  }
  if (failed === total && total > 0)
    throw new DocumentError("file_corrupt", "It is damaged: none of its pages can be read");
  if (!hasText && !document.facts.pictures)
    throw new DocumentError("file_no_text", "Its pages are pictures: it has no text");
  yield { type: "end", pages: total, title: null };
}

/** The library says what is wrong with a document in the words of its errors. */
async function open(parser: LiteParse, bytes: Uint8Array): Promise<ParseSession> {
  try {
    return await parser.openBatchSession(bytes, batchPages);
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    if (/password/i.test(words)) throw new DocumentError("file_encrypted", "It is protected by a password", { cause });
    if (/security|encrypt/i.test(words))
      throw new DocumentError("file_encrypted", "It is protected in a way that is not supported", { cause });
    throw new DocumentError("file_corrupt", "It is damaged, or not a PDF", { cause });
  }
}

async function attempt<T>(batch: Promise<T>): Promise<T> {
  try {
    return await batch;
  } catch (cause) {
    if (/memory|out of bounds|unreachable|stack/i.test(String(cause)))
      throw new DocumentError("file_too_complex", "One of its pages needs too much memory", { cause });
    throw new DocumentError("file_corrupt", "It is damaged: one of its pages cannot be read", { cause });
  }
}

function isBlank(page: ParsedPage): boolean {
  return page.text.trim() === "";
}

/** A page without text is an empty block of code to the library; text that stands askew is missing in its Markdown. */
function markdownOf(page: ParsedPage): string {
  if (isBlank(page)) return "";
  return page.markdown.trim() || page.text.trim();
}
