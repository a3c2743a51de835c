import { requirePermission, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { ViewRow } from "../../documents/files/file-view.ts";
import { forgetFile, holdPlace, takeFile } from "../../documents/files/upload/arriving-file.ts";
import { storeFile } from "../../documents/files/upload/store-file.ts";
import { takeUploadPlace } from "../../documents/files/upload/upload-line.ts";
import { refuseKind } from "../../documents/files/upload/upload-rules.ts";
import { checkLinkTarget, readLinkTarget } from "../../documents/knowledge/link-file.ts";
import { AppError } from "../../errors.ts";
import { hostOf, webAddress } from "../search/read-results.ts";
import { openPage } from "./open-page.ts";
import { PageFailure } from "./page-failure.ts";
import { nameOfPage } from "./page-name.ts";
import { readPage } from "./read-page.ts";
import { titleIn } from "./title-in.ts";

/** Largest page that becomes a file, bytes. */
const maxBytes = 25_000_000;
/** Milliseconds until its last byte. */
const timeoutMs = 60_000;

/** Somebody who may attach pages of the web. @throws AppError `forbidden` */
export function requireWebUpload(ctx: Context): User {
  return requirePermission(ctx, "chat.web_upload");
}

/**
 * Stores a page as a file of the caller, which is then read like an upload. Its bytes go to object storage as they arrive.
 * @param knowledgeId a knowledge base that it is put into when it is read
 * @throws AppError `forbidden`, `validation_failed`, `bad_request` with the reason for a page that cannot be had, and what
 *   uploads throw
 */
export async function attachPage(
  ctx: Context,
  { url, knowledgeId, signal }: { url: string; knowledgeId: string | undefined; signal: AbortSignal },
): Promise<ViewRow> {
  const user = requireWebUpload(ctx);
  const address = addressOf(url);
  const target = readLinkTarget(knowledgeId === undefined ? {} : { knowledge_id: knowledgeId });
  if (target) await checkLinkTarget(ctx, target);
  const turn = await takeUploadPlace(ctx.environment, user.id, signal);
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const page = await openPage(ctx, address, AbortSignal.any([signal, late]));
    const place = holdPlace(ctx, user, { process: true });
    try {
      const reader = page.body.getReader();
      const first = await reader.read();
      const title = titleIn(first.value ?? new Uint8Array());
      const filename = nameOfPage(page.url, page.contentType, title);
      refuseKind(ctx.settings, filename);
      const said = { filename, contentType: page.contentType || "text/html" };
      const limit = { bytes: maxBytes, refusal: () => tooLarge() };
      const arrived = await takeFile(ctx, user, place, said, piecesOf(first.value, reader), page.size, limit);
      const meta = { source: page.url, ...(title === "" ? {} : { title }) };
      return await storeFile(ctx, user, { arrived, meta, process: true, target });
    } catch (error) {
      await page.body.cancel().catch(() => undefined);
      if (place.refusal.error === undefined) await forgetFile(ctx, place.id);
      throw error;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    const reason = error instanceof PageFailure && !late.aborted ? error.message : "it broke off";
    const said = late.aborted ? `no end within ${timeoutMs / 1000} s` : reason;
    throw new AppError("bad_request", `${hostOf(address)}: ${said}`, { param: "url", cause: error });
  } finally {
    turn.free();
  }
}

/**
 * Reads a page without storing it.
 * @throws AppError `forbidden`, `validation_failed`, `bad_request` with the reason for a page that cannot be had
 */
export async function readAddress(
  ctx: Context,
  url: string,
  signal: AbortSignal,
): Promise<{ url: string; title: string; text: string }> {
  requireWebUpload(ctx);
  const address = addressOf(url);
  try {
    const { url: source, title, text } = await readPage(ctx, address, signal);
    return { url: source, title, text };
  } catch (error) {
    if (!(error instanceof PageFailure)) throw error;
    throw new AppError("bad_request", `${hostOf(address)}: ${error.message}`, { param: "url", cause: error });
  }
}

/** @throws AppError `validation_failed` */
function addressOf(url: string): string {
  const address = webAddress(url);
  if (address !== undefined) return address;
  const message = "Expected an http(s) address without a password";
  throw new AppError("validation_failed", `url: ${message}`, { param: "url", issues: [{ path: "url", message }] });
}

async function* piecesOf(first: Uint8Array | undefined, reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    if (first) yield first;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function tooLarge(): AppError {
  return new AppError("payload_too_large", `Pages can have at most ${maxBytes / 1_000_000} MB`);
}
