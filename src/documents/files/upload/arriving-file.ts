import { sql } from "drizzle-orm";
import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { newId } from "../../../lib/id.ts";
import { fileKey } from "../blob-keys.ts";
import { PartWriter, type WrittenBlob } from "../part-writer.ts";
import { sniffLength, sniffType } from "../sniff-type.ts";
import { fileLimit } from "./upload-rules.ts";

/** How long an upload may take before what is there of it is thrown away, seconds. */
const uploadSeconds = 86_400;

export interface ArrivedFile extends WrittenBlob {
  id: string;
  filename: string;
  /** By its content. */
  contentType: string;
}

/**
 * Takes the bytes of a file to object storage while they come. From before the first byte is stored to the batch in which the
 * file comes to be, a row of `uploads` with the file's id knows of them: wherever this ends, they are found again.
 * @param said the name, cleaned, and the type that its sender gave it
 * @throws AppError `payload_too_large` as soon as it is known; nothing is left then
 */
export async function takeFile(
  ctx: Context,
  user: User,
  said: { filename: string; contentType: string },
  bytes: AsyncIterable<Uint8Array>,
  expected?: number,
): Promise<ArrivedFile> {
  const id = newId();
  const key = fileKey(id);
  const max = fileLimit(ctx.settings);
  const { db } = ctx;
  const now = ctx.now();
  const known = db.run(sql`
    INSERT INTO uploads (id, user_id, key, storage_id, filename, content_type, meta, created_at, expires_at)
    VALUES (${id}, ${user.id}, ${key}, ${id}, ${said.filename}, '', '{}', ${now}, ${now + uploadSeconds})`);
  // It is awaited before anything is stored; until then it must not count as unhandled.
  const isKnown = Promise.resolve(known);
  isKnown.catch(() => undefined);
  const writer = new PartWriter(ctx.blobs, {
    key,
    expected,
    async onBegin(storageId) {
      await isKnown;
      await db.run(sql`UPDATE uploads SET storage_id = ${storageId} WHERE id = ${id}`);
    },
  });
  const head = new Head();
  try {
    for await (const piece of bytes) {
      head.add(piece);
      if (writer.size + piece.length > max.bytes) throw max.refusal();
      await writer.write(piece);
    }
    await isKnown;
    const written = await writer.finish();
    return { ...written, id, filename: said.filename, contentType: sniffType(head.bytes, said) };
  } catch (error) {
    await isKnown.catch(() => undefined);
    await forgetFile(ctx, id, writer);
    throw error;
  }
}

/**
 * Takes away what an upload has left that did not become a file; does nothing where it did. Never fails: what is left nevertheless
 * is swept.
 * @returns whether there was such an upload; true also where that is not known
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
