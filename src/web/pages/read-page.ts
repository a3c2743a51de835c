import type { Context } from "../../context.ts";
import { type ExtractEvent, ExtractorLost, type Passage } from "../../documents/files/extraction/extractor.ts";
import { chunkOptions } from "../../documents/files/processing/chunk-options.ts";
import { readBytesUpTo } from "../../http/read-up-to.ts";
import { hostOf } from "../search/read-results.ts";
import { openPage, type OpenPage } from "./open-page.ts";
import { PageFailure } from "./page-failure.ts";
import { nameOfPage } from "./page-name.ts";

/** A page that was read. */
export interface ReadPage {
  /** After redirects. */
  url: string;
  title: string;
  /** Markdown; cut where it is long. */
  text: string;
  passages: Passage[];
}

/** Bytes of a page, which is held whole while it is read. */
export const maxPageBytes = 3_000_000;
/** UTF-16 units of its text: more would not fit into an answer. */
const maxText = 200_000;

/**
 * Reads a page like a document: within the time of WEB_LOADER_TIMEOUT, its text and its passages.
 * @throws PageFailure; the signal's reason
 */
export async function readPage(ctx: Context, address: string, signal: AbortSignal): Promise<ReadPage> {
  const late = AbortSignal.timeout(ctx.settings.WEB_LOADER_TIMEOUT * 1000);
  const until = AbortSignal.any([signal, late]);
  try {
    const page = await openPage(ctx, address, until);
    if ((page.size ?? 0) > maxPageBytes) {
      await page.body.cancel();
      throw tooLarge();
    }
    const bytes = await readBytesUpTo(page.body, maxPageBytes);
    if (bytes === undefined) throw tooLarge();
    return await extract(ctx, page, bytes, until);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new PageFailure(`not read within ${ctx.settings.WEB_LOADER_TIMEOUT} s`, { cause: error });
    if (error instanceof PageFailure) throw error;
    if (error instanceof ExtractorLost) throw new PageFailure("takes too much to read", { cause: error });
    throw new PageFailure("broke off", { cause: error });
  }
}

async function extract(
  ctx: Context,
  { url, contentType }: OpenPage,
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<ReadPage> {
  const options = {
    ...chunkOptions(ctx.settings),
    filename: nameOfPage(url, contentType),
    contentType,
    bytes: bytes.length,
    pictures: false,
  };
  const page: ReadPage = { url, title: "", text: "", passages: [] };
  for await (const event of ctx.extractor.extract(new Blob([bytes]).stream(), options, signal)) {
    if (event.type === "text" && page.text.length < maxText)
      page.text = (page.text + event.text).slice(0, maxText).toWellFormed();
    else if (event.type === "passages") page.passages.push(...event.passages.filter(({ start }) => start < maxText));
    else if (event.type === "failed") throw new PageFailure(failureOf(event));
    else if (event.type === "end") page.title = (event.title ?? "").replaceAll(/\s+/g, " ").trim().slice(0, 300);
  }
  if (page.text.trim() === "") throw new PageFailure("has no text without scripts");
  page.title ||= hostOf(url);
  // The title stands with each passage anyway.
  page.passages = page.passages.filter(({ text }) => text.trim() !== page.title);
  return page;
}

function failureOf({ code, message }: Extract<ExtractEvent, { type: "failed" }>): string {
  if (code === "file_no_text" || code === "file_empty") return "has no text without scripts";
  return message.charAt(0).toLowerCase() + message.slice(1);
}

function tooLarge(): PageFailure {
  return new PageFailure(`larger than ${maxPageBytes / 1_000_000} MB`);
}
