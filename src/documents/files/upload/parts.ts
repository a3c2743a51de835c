import { and, asc, eq, sql } from "drizzle-orm";
import { requireUser } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { newId } from "../../../lib/id.ts";
import { isTooDeep } from "../../../lib/json-depth.ts";
import { requireFreeDisk } from "../../../machine/free-disk.ts";
import { requirePossibleSize } from "../../../people/totals/storage-room.ts";
import { checkLinkTarget, readLinkTarget } from "../../knowledge/link-file.ts";
import { fileKey } from "../blob-keys.ts";
import { cleanName } from "../clean-name.ts";
import { uploadParts, uploads } from "../tables.ts";
import { forgetFile } from "./arriving-file.ts";
import type { NewUpload, UploadView } from "./schema.ts";
import { explainRefusal, hasUploadRoom } from "./upload-room.ts";
import { fileLimit, refuseKind, requireUploader } from "./upload-rules.ts";

/** Bytes of a part; object storage takes at least 5 MiB and 10,000 of them. */
const partSize = 8 * 1024 * 1024;
/** How long the parts may take to come, seconds. */
const uploadSeconds = 86_400;
/** So many of one person may be under way. */
const maxUploads = 100;

/** What is stored of an upload until it is complete. */
export interface KeptMeta {
  data: Record<string, unknown>;
  process: boolean;
  contentType: string;
}

export type UploadRow = Omit<typeof uploads.$inferSelect, "size" | "partSize" | "meta"> & {
  size: number;
  partSize: number;
  meta: KeptMeta;
};

/**
 * Starts an upload in parts.
 * @throws AppError `forbidden`, `payload_too_large`, `unsupported_media_type`, `too_many_requests`, `storage_full` and
 *   its kin, `limit_reached`, and errors of the metadata
 */
export async function beginUpload(ctx: Context, input: NewUpload): Promise<UploadView> {
  const user = requireUploader(ctx);
  const { size, metadata: data = {}, content_type: contentType = "", process = true } = input;
  const limit = fileLimit(ctx.settings);
  if (size > limit.bytes) throw limit.refusal();
  requirePossibleSize(ctx, size);
  await requireFreeDisk(ctx, size);
  const filename = cleanName(input.filename);
  refuseKind(ctx.settings, filename);
  const meta: KeptMeta = { data, process, contentType };
  const text = JSON.stringify(meta);
  if (text.length > 100_000 || isTooDeep(text))
    throw new AppError("payload_too_large", "The metadata is too large", { param: "metadata" });
  const target = readLinkTarget(data);
  if (target) await checkLinkTarget(ctx, target);
  const id = newId();
  const key = fileKey(id);
  const storageId = await ctx.blobs.beginParts(key);
  const now = ctx.now();
  const row = { id, filename, size, partSize, meta, expiresAt: now + uploadSeconds };
  const stored = await ctx.db.run(sql`
    INSERT INTO uploads (id, user_id, key, storage_id, filename, content_type, size, held_bytes, part_size, meta, created_at, expires_at)
    SELECT ${id}, ${user.id}, ${key}, ${storageId}, ${filename}, '', ${size}, ${size}, ${partSize}, ${text}, ${now}, ${row.expiresAt}
    WHERE (SELECT count(*) FROM uploads WHERE user_id = ${user.id} AND part_size IS NOT NULL) < ${maxUploads}
      AND ${hasUploadRoom(ctx, user.id, { more: size, process })}`);
  if (stored.rowsAffected === 0) {
    await ctx.blobs.dropParts(key, storageId).catch(() => undefined);
    throw await refusalOf(ctx, user.id, size, process);
  }
  return view(row, []);
}

async function refusalOf(ctx: Context, userId: string, size: number, process: boolean): Promise<AppError> {
  const [counted] = await ctx.db.all<{ uploads: number }>(
    sql`SELECT count(*) AS uploads FROM uploads WHERE user_id = ${userId} AND part_size IS NOT NULL`,
  );
  if (counted!.uploads < maxUploads) return explainRefusal(ctx, userId, { needed: size, process });
  const message = `${maxUploads} of your uploads are in progress: complete or cancel some first`;
  return new AppError("too_many_requests", message);
}

/** @throws AppError `not_found` */
export async function getUpload(ctx: Context, id: string): Promise<UploadView> {
  const { upload, parts } = await findUpload(ctx, id);
  return view(upload, parts);
}

/**
 * Stores one part; an existing one is replaced.
 * @param read reads the bytes; not called for an upload that is not the caller's
 * @throws AppError `not_found`; `bad_request` for an invalid number, or a part of the wrong length; `conflict` while
 *   the upload is being completed
 */
export async function putPart(
  ctx: Context,
  id: string,
  number: number,
  read: () => Promise<Uint8Array<ArrayBuffer>>,
): Promise<{ number: number; size: number; sha256: string }> {
  const { upload } = await findUpload(ctx, id, number);
  const wanted = sizeOfPart(upload, number);
  await requireFreeDisk(ctx, wanted);
  const bytes = await read();
  if (bytes.length !== wanted)
    throw new AppError("bad_request", `Part ${number}: expected ${wanted} bytes, received ${bytes.length}`);
  const sha256 = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  const etag = await ctx.blobs.putPart(upload.key, upload.storageId, number, bytes).catch(async (error: unknown) => {
    // Completed or ended while the part was on its way: storage knows nothing of it any more.
    await findUpload(ctx, id, number);
    throw new AppError("conflict", "The upload is being completed: no more parts can be sent", { cause: error });
  });
  const stored = await ctx.db.run(sql`
    INSERT INTO upload_parts (upload_id, number, size, etag, sha256)
    SELECT id, ${number}, ${wanted}, ${etag}, ${sha256} FROM uploads WHERE id = ${id}
    ON CONFLICT (upload_id, number) DO UPDATE SET etag = excluded.etag, sha256 = excluded.sha256`);
  if (stored.rowsAffected === 0) throw noUpload();
  return { number, size: wanted, sha256 };
}

/**
 * Deletes an upload.
 * @throws AppError `not_found`, also if it became a file at the same time
 */
export async function endUpload(ctx: Context, id: string): Promise<void> {
  const { upload } = await findUpload(ctx, id);
  const isEnded = await forgetFile(ctx, id, {
    async drop() {
      await ctx.blobs.dropParts(upload.key, upload.storageId);
      await ctx.blobs.delete([upload.key]);
    },
  });
  if (!isEnded) throw noUpload();
}

/** @throws AppError `bad_request` for an invalid part number */
export function sizeOfPart({ size, partSize: each }: Pick<UploadRow, "size" | "partSize">, number: number): number {
  const parts = countParts(size, each);
  if (number > parts) throw new AppError("bad_request", `The upload has ${parts} parts`, { param: "number" });
  return number < parts ? each : size - (parts - 1) * each;
}

export function countParts(size: number, each: number): number {
  return Math.max(1, Math.ceil(size / each));
}

export type PartRow = typeof uploadParts.$inferSelect;

/**
 * One of the caller's uploads with its parts, or with one of them.
 * @throws AppError `not_found`
 */
export async function findUpload(
  ctx: Context,
  id: string,
  number?: number,
): Promise<{ upload: UploadRow; parts: PartRow[] }> {
  const user = requireUser(ctx);
  const { db } = ctx;
  const [[upload], parts] = await db.batch([
    db
      .select()
      .from(uploads)
      .where(and(eq(uploads.id, id), eq(uploads.userId, user.id), sql`${uploads.partSize} IS NOT NULL`)),
    db
      .select()
      .from(uploadParts)
      .where(and(eq(uploadParts.uploadId, id), number === undefined ? sql`TRUE` : eq(uploadParts.number, number)))
      .orderBy(asc(uploadParts.number)),
  ]);
  if (!upload || upload.size === null || upload.partSize === null) throw noUpload();
  return {
    upload: { ...upload, size: upload.size, partSize: upload.partSize, meta: upload.meta as unknown as KeptMeta },
    parts,
  };
}

export function noUpload(): AppError {
  return new AppError("not_found", "No such upload, or not yours");
}

function view(
  row: Pick<UploadRow, "id" | "filename" | "size" | "partSize" | "expiresAt">,
  parts: readonly PartRow[],
): UploadView {
  const { id, filename, size, partSize: each } = row;
  return {
    id,
    filename,
    size,
    part_size: each,
    parts: countParts(size, each),
    received: parts.map(({ number, size: length, sha256 }) => ({ number, size: length, sha256 })),
    expires_at: row.expiresAt,
  };
}
