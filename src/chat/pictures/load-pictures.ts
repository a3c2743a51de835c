import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { fileKey } from "../../documents/files/blob-keys.ts";
import { sniffLength, sniffType } from "../../documents/files/sniff-type.ts";
import { readableFile } from "../../documents/knowledge/readable.ts";
import { AppError } from "../../errors.ts";
import { readBytesUpTo } from "../../http/read-up-to.ts";
import { toBase64 } from "../../lib/base64.ts";
import { pictureType } from "../../shared/vision.ts";

/** Maximum bytes of one picture and of all pictures of a request, their number, and milliseconds for fetching one. */
export const pictureLimits = { bytes: 10_000_000, all: 20_000_000, count: 100, timeoutMs: 20_000 };

/** A picture in the files of the service. */
export interface PictureFile {
  id: string;
  contentType: string;
  size: number;
}

/** The files among those given that are supported pictures and that the caller may read now. One round trip. */
export async function findPictureFiles(ctx: Context, ids: readonly string[]): Promise<Map<string, PictureFile>> {
  const rows = await ctx.db.all<PictureFile>(sql`
    SELECT files.id, files.content_type AS contentType, files.size FROM files
    WHERE files.id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${readableFile(requireUser(ctx))}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Turns pictures into data URLs, within the limits of a request. */
export interface PictureLoader {
  /** @throws AppError `validation_failed` */
  file(file: PictureFile): Promise<string>;
  /**
   * By web address, through the guard.
   * @throws AppError `validation_failed`; the signal's reason
   */
  fetch(url: string): Promise<string>;
}

export function createPictureLoader(ctx: Context, signal: AbortSignal): PictureLoader {
  let left = pictureLimits.all;

  function dataUrl(bytes: Uint8Array | undefined, type: string): string {
    if (!bytes || bytes.length > left) throw tooLarge();
    if (!pictureType.test(type)) throw refuse("it is not a PNG, JPEG, GIF or WebP picture");
    left -= bytes.length;
    return `data:${type};base64,${toBase64(bytes)}`;
  }

  return {
    async file({ id, contentType, size }) {
      if (size > Math.min(pictureLimits.bytes, left)) throw tooLarge();
      const stored = await ctx.blobs.get(fileKey(id));
      if (!stored) throw refuse("no such file");
      return dataUrl(await readBytesUpTo(stored.body, pictureLimits.bytes), contentType);
    },
    async fetch(url) {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw refuse("its address is invalid");
      const until = AbortSignal.any([signal, AbortSignal.timeout(pictureLimits.timeoutMs)]);
      try {
        const response = await ctx.outbound.guarded(url, { signal: until, headers: { accept: "image/*" } });
        if (!response.ok) {
          await response.body?.cancel();
          throw refuse(`its address returned status ${response.status}`);
        }
        const bytes = await readBytesUpTo(response.body, Math.min(pictureLimits.bytes, left));
        // The sender chooses its name; its bytes tell its type.
        const type = sniffType((bytes ?? new Uint8Array()).subarray(0, sniffLength), { filename: "", contentType: "" });
        return dataUrl(bytes, type);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof AppError) throw error.code === "validation_failed" ? error : refuse(error.message);
        throw refuse(until.aborted ? "fetching it took too long" : "it could not be fetched", error);
      }
    },
  };
}

function tooLarge(): AppError {
  const { bytes, all } = pictureLimits;
  return refuse(`it is larger than ${bytes / 1e6} MB, or all pictures together are larger than ${all / 1e6} MB`);
}

/** @param why ends the sentence "A picture cannot be used: ..." */
export function refuse(why: string, cause?: unknown): AppError {
  return new AppError("validation_failed", `messages: a picture cannot be used: ${why}`, { param: "messages", cause });
}
