import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { requireUser } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { checkLinkTarget, readLinkTarget } from "../../knowledge/link-file.ts";
import { viewColumns, type ViewRow } from "../file-view.ts";
import { sniffLength, sniffType } from "../sniff-type.ts";
import { files } from "../tables.ts";
import { forgetFile } from "./arriving-file.ts";
import { countParts, findUpload, noUpload, type PartRow, type UploadRow } from "./parts.ts";
import { checkHash } from "./read-metadata.ts";
import { storeFile } from "./store-file.ts";

export interface CompletedUpload {
  row: ViewRow;
  /** Whether its text will be extracted. */
  process: boolean;
}

/**
 * Joins the parts of an upload to a file. Can be repeated.
 * @throws AppError `not_found`; `bad_request` while parts are missing; `conflict` if parts were replaced meanwhile;
 *   `validation_failed` for a wrong hash, which ends the upload
 */
export async function completeUpload(ctx: Context, id: string): Promise<CompletedUpload> {
  const user = requireUser(ctx);
  const found = await findUpload(ctx, id).catch(async (error: unknown) => {
    const row = await findCompleted(ctx, id);
    if (!row) throw error;
    return row;
  });
  if (!("upload" in found)) return { row: found, process: found.state !== "stored" };
  const { upload, parts } = found;
  refuseMissing(upload, parts);
  const target = readLinkTarget(upload.meta.data);
  if (target) await checkLinkTarget(ctx, target);
  await join(ctx, upload, parts);
  const { sha256, head } = await readBack(ctx, upload.key);
  try {
    checkHash(upload.meta.data, sha256);
  } catch (error) {
    // Its parts are one now: what is wrong with them cannot be mended.
    await forgetFile(ctx, id);
    await ctx.blobs.delete([upload.key]);
    throw error;
  }
  const { filename, size, meta } = upload;
  const contentType = sniffType(head, { filename, contentType: meta.contentType });
  const arrived = { id, filename, size, sha256, contentType };
  try {
    return {
      row: await storeFile(ctx, user, { arrived, meta: meta.data, process: meta.process, target }),
      process: meta.process,
    };
  } catch (error) {
    // Somebody else has completed it at the same time.
    const row = await findCompleted(ctx, id);
    if (row) return { row, process: meta.process };
    // Thrown away at the same time, perhaps before the parts were one: then nobody else knows of it.
    if (error instanceof AppError && error.code === "conflict") await ctx.blobs.delete([upload.key]);
    throw error;
  }
}

function refuseMissing({ size, partSize }: UploadRow, parts: readonly PartRow[]): void {
  const there = new Set(parts.map(({ number }) => number));
  const missing = Array.from({ length: countParts(size, partSize) }, (_, at) => at + 1).filter(
    (each) => !there.has(each),
  );
  if (missing.length === 0) return;
  const named = missing.slice(0, 10).join(", ");
  throw new AppError("bad_request", `Parts are missing: ${named}${missing.length > 10 ? " and more" : ""}`);
}

/** Already put together by a try before this one: then storage knows nothing of the parts any more, and has the whole. */
async function join(ctx: Context, { key, storageId, size }: UploadRow, parts: readonly PartRow[]): Promise<void> {
  try {
    await ctx.blobs.joinParts(key, storageId, parts);
  } catch (error) {
    const whole = await ctx.blobs.get(key, { offset: 0, length: 1 }).catch(() => undefined);
    await whole?.body.cancel().catch(() => undefined);
    if (whole?.size === size) return;
    throw new AppError("conflict", "The parts do not match the upload: send them again", { cause: error });
  }
}

/** The hash of what is stored, and its beginning; by reading all of it once. */
async function readBack(ctx: Context, key: string): Promise<{ sha256: string; head: Uint8Array }> {
  const stored = await ctx.blobs.get(key);
  if (!stored) throw noUpload();
  const hash = createHash("sha256");
  let head = Buffer.alloc(0);
  for await (const bytes of stored.body) {
    hash.update(bytes);
    if (head.length < sniffLength) head = Buffer.concat([head, bytes]).subarray(0, sniffLength);
  }
  return { sha256: hash.digest("hex"), head };
}

async function findCompleted(ctx: Context, id: string): Promise<ViewRow | undefined> {
  const [row] = await ctx.db
    .select(viewColumns)
    .from(files)
    .where(and(eq(files.id, id), eq(files.userId, requireUser(ctx).id)));
  return row;
}
