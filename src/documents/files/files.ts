import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { hasStorageRoom } from "../../people/totals/storage-room.ts";
import { fileKey } from "./blob-keys.ts";
import { cleanName, cleanType } from "./clean-name.ts";
import { viewOf } from "./file-view.ts";
import type { FileView } from "./schema.ts";
import { forgetFile } from "./upload/arriving-file.ts";
import { explainRefusal } from "./upload/upload-room.ts";

export interface NewFile {
  name: string;
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** A stored chat of the caller's, with which the file goes; undefined: it belongs to none. */
  chatId: string | undefined;
  /** A UUID that the plugin chose; undefined: a new one. */
  id?: string | undefined;
}

/** Of a file that nobody asked to be read. */
const untouched = {
  sha256: null,
  meta: {},
  state: "stored",
  stage: null,
  progressDone: 0,
  progressTotal: null,
  progressUnit: null,
  errorCode: null,
  error: null,
  pageCount: null,
  chunkCount: 0,
} as const;

/** Largest file, bytes. */
const maxBytes = 12_000_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** How long its bytes may lie there before it is a file, seconds. */
const uploadSeconds = 3600;

/**
 * Stores a file of the caller.
 * @throws AppError `payload_too_large`, `storage_full` and its kin, `limit_reached`; `validation_failed` for an invalid content type or id; `conflict` for an id that
 *   a file has; `not_found` for a chat that is not the caller's
 */
export async function createFile(
  ctx: Context,
  { name, contentType, bytes, chatId, id: chosen }: NewFile,
): Promise<FileView> {
  const user = requireUser(ctx);
  if (bytes.length > maxBytes)
    throw new AppError("payload_too_large", `Files of plugins can have at most ${maxBytes / 1_000_000} MB`);
  if (chosen !== undefined && !uuid.test(chosen))
    throw new AppError("validation_failed", "id: expected a UUID in lower case", { param: "id" });
  const id = chosen ?? newId();
  const row = {
    id,
    userId: user.id,
    chatId: chatId ?? null,
    filename: cleanName(name),
    contentType: cleanType(contentType),
    size: bytes.length,
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
  };
  const { db } = ctx;
  // Nothing is written under an id that a file has, and nobody else can take it meanwhile.
  const isFree = sql`NOT EXISTS (SELECT 1 FROM files WHERE id = ${id}) AND NOT EXISTS (SELECT 1 FROM uploads WHERE id = ${id})`;
  const expiresAt = row.createdAt + uploadSeconds;
  const held = await db.run(sql`
    INSERT INTO uploads (id, user_id, key, storage_id, filename, content_type, held_bytes, meta, created_at, expires_at)
    SELECT ${id}, ${user.id}, ${fileKey(id)}, ${id}, '', '', ${bytes.length}, '{}', ${row.createdAt}, ${expiresAt}
    WHERE ${isFree} AND ${hasStorageRoom(ctx, user.id, bytes.length)}`);
  if (held.rowsAffected === 0) {
    if (chosen !== undefined && (await isTaken(ctx, id)))
      throw new AppError("conflict", "There is a file with this id", { param: "id" });
    throw await explainRefusal(ctx, user.id, { needed: bytes.length });
  }
  const exists = sql`EXISTS (SELECT 1 FROM files WHERE id = ${id})`;
  const isOwn =
    chatId === undefined ? sql`1` : sql`EXISTS (SELECT 1 FROM chats WHERE id = ${chatId} AND user_id = ${user.id})`;
  try {
    await ctx.blobs.put(fileKey(id), bytes);
    const [stored] = await db.batch([
      db.run(sql`
        INSERT INTO files (id, user_id, organization_id, chat_id, filename, content_type, size, created_at, updated_at)
        SELECT ${id}, ${row.userId}, ${user.organizationId}, ${row.chatId}, ${row.filename}, ${row.contentType}, ${row.size},
          ${row.createdAt}, ${row.createdAt} WHERE ${isOwn}`),
      db.run(sql`DELETE FROM uploads WHERE id = ${id} AND ${exists}`),
      db.run(sql`DELETE FROM dropped_uploads WHERE key = ${fileKey(id)} AND ${exists}`),
    ]);
    if (stored.rowsAffected === 0) throw new AppError("not_found", "No such chat");
  } catch (error) {
    await forgetFile(ctx, id);
    throw error;
  }
  return viewOf({ ...row, ...untouched });
}

async function isTaken({ db }: Context, id: string): Promise<boolean> {
  const { rows } = await db.run(
    sql`SELECT 1 FROM files WHERE id = ${id} UNION ALL SELECT 1 FROM uploads WHERE id = ${id} LIMIT 1`,
  );
  return rows.length > 0;
}
