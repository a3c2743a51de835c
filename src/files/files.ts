import { sql } from "drizzle-orm";
import { requireUser } from "../access.ts";
import { chats } from "../chat/conversations/tables.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { fileKey } from "./blob-keys.ts";
import { cleanName, cleanType } from "./clean-name.ts";
import { viewOf } from "./file-view.ts";
import type { FileView } from "./schema.ts";

export interface NewFile {
  name: string;
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** A stored chat of the caller's, with which the file goes; undefined: it belongs to none. */
  chatId: string | undefined;
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
const mostBytes = 12_000_000;

/**
 * Keeps a file of the caller's.
 * @throws AppError `payload_too_large`; `validation_failed` for a content type that is none; `not_found` for a chat that is
 *   not the caller's
 */
export async function createFile(ctx: Context, { name, contentType, bytes, chatId }: NewFile): Promise<FileView> {
  const user = requireUser(ctx);
  if (bytes.length > mostBytes)
    throw new AppError("payload_too_large", `Files of plugins have at most ${mostBytes / 1_000_000} MB`);
  const id = newId();
  const row = {
    id,
    userId: user.id,
    chatId: chatId ?? null,
    filename: cleanName(name),
    contentType: cleanType(contentType),
    size: bytes.length,
    createdAt: ctx.now(),
    updatedAt: 0,
  };
  await ctx.blobs.put(fileKey(id), bytes);
  const isOwn =
    chatId === undefined
      ? sql`1`
      : sql`EXISTS (SELECT 1 FROM ${chats} WHERE ${chats.id} = ${chatId} AND ${chats.userId} = ${user.id})`;
  try {
    const stored = await ctx.db.run(sql`
      INSERT INTO files (id, user_id, chat_id, filename, content_type, size, created_at)
      SELECT ${id}, ${row.userId}, ${row.chatId}, ${row.filename}, ${row.contentType}, ${row.size}, ${row.createdAt} WHERE ${isOwn}`);
    if (stored.rowsAffected === 0) throw new AppError("not_found", "There is no such chat");
  } catch (error) {
    await ctx.blobs.delete([fileKey(id)]).catch(() => undefined);
    throw error;
  }
  return viewOf({ ...row, ...untouched });
}
