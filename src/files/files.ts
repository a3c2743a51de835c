import { and, eq, sql } from "drizzle-orm";
import { requireUser } from "../access.ts";
import { chats } from "../chat/conversations/tables.ts";
import { cutText } from "../chat/tools/cut-text.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import type { FileView } from "./schema.ts";
import { files } from "./tables.ts";

export interface NewFile {
  name: string;
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** A stored chat of the caller's, with which the file goes; undefined: it belongs to none. */
  chatId: string | undefined;
}

type FileRow = Pick<typeof files.$inferSelect, "id" | "userId" | "filename" | "contentType" | "size" | "createdAt">;

/** Largest file, bytes. */
const mostBytes = 12_000_000;

/** Where the bytes lie in object storage; a trigger on `files` knows this key too. */
function blobKey(id: string): string {
  return `files/${id}`;
}

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
  };
  await ctx.blobs.put(blobKey(id), bytes);
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
    await ctx.blobs.delete([blobKey(id)]).catch(() => undefined);
    throw error;
  }
  return viewOf(row);
}

/** @throws AppError `not_found`, also for a file of somebody else */
export async function getFile(ctx: Context, id: string): Promise<FileView> {
  return viewOf(await findOwn(ctx, id));
}

/** The bytes of a file of the caller's. @throws AppError `not_found` */
export async function readFile(
  ctx: Context,
  id: string,
): Promise<{ file: FileView; body: ReadableStream<Uint8Array> }> {
  const row = await findOwn(ctx, id);
  const found = await ctx.blobs.get(blobKey(row.id));
  if (!found) throw missing();
  return { file: viewOf(row), body: found.body };
}

async function findOwn(ctx: Context, id: string): Promise<FileRow> {
  const [row] = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.id, id), eq(files.userId, requireUser(ctx).id)));
  if (!row) throw missing();
  return row;
}

function missing(): AppError {
  return new AppError("not_found", "There is no such file of yours");
}

/** Without folders and what no file system takes. */
function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1)!;
  const clean = last.replaceAll(/[\p{Cc}\p{Cs}]/gu, "").trim();
  return clean === "" ? "file" : cutText(clean, 200);
}

/** @throws AppError `validation_failed` */
function cleanType(type: string): string {
  const plain = type.trim().toLowerCase();
  if (plain.length > 200 || !/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:\s*;[\x20-\x7e]*)?$/.test(plain))
    throw new AppError("validation_failed", "content_type: this is none", { param: "content_type" });
  return plain;
}

function viewOf({ id, userId, filename, contentType, size, createdAt }: FileRow): FileView {
  return {
    id,
    user_id: userId,
    filename,
    meta: { name: filename, content_type: contentType, size },
    url: `/api/v1/files/${id}/content`,
    created_at: createdAt,
    updated_at: createdAt,
  };
}
