import type { Context } from "../../context.ts";
import { currentTextKey, fileKey } from "./blob-keys.ts";
import { viewOf } from "./file-view.ts";
import { findFile, type FoundFile, noFile } from "./find-file.ts";
import type { FileView } from "./schema.ts";

export interface ByteRange {
  offset: number;
  length: number;
}

/** @throws AppError `not_found` */
export async function getFile(
  ctx: Context,
  id: string,
  withText: boolean,
): Promise<{ file: FileView; text: StoredText | undefined }> {
  const row = await findFile(ctx, id);
  return { file: viewOf(row), text: withText ? await textOf(ctx, row) : undefined };
}

/**
 * The bytes of a file.
 * @param choose selects a range, once the size is known; undefined for all
 * @throws AppError `not_found`
 */
export async function readBytesOfFile(
  ctx: Context,
  id: string,
  choose: (size: number) => ByteRange | undefined,
): Promise<{ file: FileView; body: ReadableStream<Uint8Array>; range: ByteRange | undefined }> {
  const row = await findFile(ctx, id);
  const range = choose(row.size);
  const found = await ctx.blobs.get(fileKey(row.id), range);
  if (!found) throw noFile();
  return { file: viewOf(row), body: found.body, range };
}

/** A text in object storage. */
export interface StoredText {
  /** UTF-16 units. */
  length: number;
  /** UTF-8. */
  body: ReadableStream<Uint8Array>;
}

/**
 * The current text of a file; undefined if it has none.
 * @throws AppError `not_found`
 */
export async function readTextOfFile(ctx: Context, id: string): Promise<StoredText | undefined> {
  return textOf(ctx, await findFile(ctx, id));
}

async function textOf(ctx: Context, row: FoundFile): Promise<StoredText | undefined> {
  if (row.version === 0) return undefined;
  const found = await ctx.blobs.get(currentTextKey(row));
  if (found) return { length: row.textLength, body: found.body };
  // Taken away between the two questions: a newer one counts now.
  const newer = await findFile(ctx, row.id);
  return newer.version > row.version ? textOf(ctx, newer) : undefined;
}
