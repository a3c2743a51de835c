import { sql } from "drizzle-orm";
import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { newId } from "../../../lib/id.ts";
import { requireFreeDisk } from "../../../machine/free-disk.ts";
import { hasStorageRoom, requirePossibleSize } from "../../../people/totals/storage-room.ts";
import { fileKey } from "../blob-keys.ts";
import { PartWriter, type WrittenBlob } from "../part-writer.ts";
import { sniffLength, sniffType } from "../sniff-type.ts";
import { explainRefusal, hasUploadRoom } from "./upload-room.ts";
import { fileLimit } from "./upload-rules.ts";

/** What a form may have beside its file, bytes. */
export const formOverhead = 200_000;
/** How long an upload may take before what is there of it is thrown away, seconds. */
const uploadSeconds = 86_400;

export interface ArrivedFile extends WrittenBlob {
  id: string;
  filename: string;
  /** By its content. */
  contentType: string;
}

/** Whose file it will be. */
export type FileOwner = Pick<User, "id" | "organizationId">;

/** The place of a file that arrives: a row of `uploads` with its id. */
export interface HeldPlace {
  readonly id: string;
  /** Bytes that are set aside in the row. */
  held: number;
  /** Resolves when the row is there. @throws AppError `storage_full` and its kin, `limit_reached`, `too_many_requests` */
  readonly known: Promise<void>;
  /** What `known` has thrown by now. */
  readonly refusal: { error?: unknown };
}

/**
 * Records a file from before its first byte until the batch that creates it, so that an interrupted upload can be cleaned
 * up, and sets room for it aside, so that uploads at the same time cannot take more than there is. One statement, which
 * does not have to be awaited before the bytes are read.
 * @param expected bytes of the file and of the form around it, where known
 * @param process whether the file will be read
 * @param id the id that it will have; a new one unless it is said
 * @throws AppError `storage_full` for what never fits
 */
export function holdPlace(
  ctx: Context,
  user: FileOwner,
  { expected = 0, process, id = newId() }: { expected?: number | undefined; process: boolean; id?: string },
): HeldPlace {
  const held = Math.max(0, expected - formOverhead);
  if (held > 0) requirePossibleSize(ctx, held);
  const now = ctx.now();
  const hold = ctx.db.run(sql`
    INSERT INTO uploads (id, user_id, key, storage_id, filename, content_type, held_bytes, meta, created_at, expires_at)
    SELECT ${id}, ${user.id}, ${fileKey(id)}, ${id}, '', '', ${held}, '{}', ${now}, ${now + uploadSeconds}
    WHERE ${hasUploadRoom(ctx, user.id, { more: held, process })}`);
  const known = Promise.all([hold, requireFreeDisk(ctx, held)]).then(async ([{ rowsAffected }]) => {
    if (rowsAffected === 0) throw await explainRefusal(ctx, user.id, { needed: expected, process });
  });
  // It is awaited before anything is stored; until then it must not count as unhandled.
  const refusal: HeldPlace["refusal"] = {};
  known.catch((error: unknown) => (refusal.error = error));
  return { id, held, known, refusal };
}

/**
 * Writes the bytes of a file to object storage as they arrive. Where their number was not known, room is set aside with
 * each part.
 * @param said the cleaned name, and the type from the sender
 * @param expected bytes of the file and of the form around it, where known
 * @param max the largest file; as the settings say unless it is said
 * @throws AppError `payload_too_large`, and what the place throws, each as soon as it is known; nothing is left then
 */
export async function takeFile(
  ctx: Context,
  user: FileOwner,
  place: HeldPlace,
  said: { filename: string; contentType: string },
  bytes: AsyncIterable<Uint8Array>,
  expected?: number,
  max: ReturnType<typeof fileLimit> = fileLimit(ctx.settings),
): Promise<ArrivedFile> {
  const { id, known, refusal } = place;
  const key = fileKey(id);
  const { db } = ctx;
  const writer = new PartWriter(ctx.blobs, {
    key,
    expected,
    async onBegin(storageId) {
      await known;
      await db.run(sql`UPDATE uploads SET storage_id = ${storageId} WHERE id = ${id}`);
    },
    async beforePart(size) {
      await requireFreeDisk(ctx, 0);
      if (size <= place.held) return;
      const { rowsAffected } = await db.run(sql`
        UPDATE uploads SET held_bytes = ${size}
        WHERE id = ${id} AND ${hasStorageRoom(ctx, user.id, sql`${size} - uploads.held_bytes`)}`);
      if (rowsAffected === 0) throw await explainRefusal(ctx, user.id, { needed: size, uploadId: id });
      place.held = size;
    },
  });
  const head = new Head();
  try {
    for await (const piece of bytes) {
      if (refusal.error !== undefined) throw refusal.error;
      head.add(piece);
      if (writer.size + piece.length > max.bytes) throw max.refusal();
      await writer.write(piece);
    }
    await known;
    const written = await writer.finish();
    return { ...written, id, filename: said.filename, contentType: sniffType(head.bytes, said) };
  } catch (error) {
    await known.catch(() => undefined);
    // Without its row nobody else will take away what may be there.
    if (!(await forgetFile(ctx, id, writer))) await writer.drop().catch(() => undefined);
    throw error;
  }
}

/**
 * Deletes the rest of an upload that did not become a file; does nothing if it did. Never fails: the sweeper deletes
 * what remains.
 * @returns whether the upload existed; true also if that is unknown
 */
export async function forgetFile(
  ctx: Pick<Context, "db" | "blobs" | "log">,
  id: string,
  writer?: { drop(): Promise<void> },
): Promise<boolean> {
  const { db, blobs } = ctx;
  try {
    // Without that row it can no longer become a file, however late the database gets to know of it.
    const { rowsAffected } = await db.run(sql`DELETE FROM uploads WHERE id = ${id}`);
    if (rowsAffected === 0) return false;
    if (writer) await writer.drop();
    else await blobs.delete([fileKey(id)]);
    await db.run(sql`DELETE FROM dropped_uploads WHERE key = ${fileKey(id)}`);
  } catch (error) {
    ctx.log.warn("the rest of an upload is removed later", { upload: id, error });
  }
  return true;
}

/** The first bytes, by which the type is told. */
class Head {
  #pieces: Uint8Array[] = [];
  #length = 0;

  add(piece: Uint8Array): void {
    if (this.#length >= sniffLength) return;
    // A copy: the bytes may be used for others afterwards.
    const part = piece.slice(0, sniffLength - this.#length);
    this.#pieces.push(part);
    this.#length += part.length;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#pieces);
  }
}
