import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { announceList } from "../conversations/announce-chats.ts";
import { getChat } from "../conversations/chats.ts";
import { listChats, wholeChats } from "../conversations/list-chats.ts";
import type { ChatResponse, ChatSummary } from "../conversations/schema.ts";
import { isReadableFolder, unknownFolder } from "./folder-of-chat.ts";
import { requireFolders } from "./folders.ts";
import { readableFolders, withFoldersIn } from "./readable-folders.ts";

/**
 * Puts a chat of the caller into a folder that they can read, or into none.
 * @throws AppError `not_found` for an unknown chat or folder; `forbidden` for people who may not use folders
 */
export async function moveChat(ctx: Context, id: string, folderId: string | null): Promise<ChatResponse> {
  const user = requireFolders(ctx);
  const mayRead: SQL = folderId === null ? sql`TRUE` : sql`${folderId} IN ${readableFolders(user)}`;
  const [[found], moved] = await ctx.db.batch([
    ctx.db.all<{ may_read: 0 | 1 }>(sql`SELECT ${mayRead} AS may_read`),
    ctx.db.all(
      sql`UPDATE chats SET folder_id = ${folderId} WHERE id = ${id} AND user_id = ${user.id} AND ${mayRead} RETURNING id`,
    ),
  ]);
  if (!found?.may_read) throw unknownFolder("folder_id");
  if (moved.length === 0) throw new AppError("not_found", "No such chat");
  announceList(ctx, user.id, id);
  return getChat(ctx, id);
}

/**
 * A page of the caller's chats in a folder, without those in the folders in it and archived ones.
 * @throws AppError `not_found`
 */
export async function listFolderChats(
  ctx: Context,
  id: string,
  options: { page?: number | undefined; cursor?: string | undefined; includePinned?: boolean | undefined },
): Promise<{ chats: ChatSummary[]; nextCursor: string | null }> {
  requireFolders(ctx);
  const list = await listChats(ctx, { which: "open", page: 1, ...options, folders: sql`(${id})` });
  if (list.chats.length === 0 && !(await isReadableFolder(ctx, id))) throw unknownFolder();
  return list;
}

/**
 * The caller's chats with messages in a folder and in all folders in it.
 * @throws AppError `not_found`, before the first chat
 */
export async function readFolderChats(ctx: Context, id: string): Promise<AsyncGenerator<ChatResponse>> {
  requireFolders(ctx);
  if (!(await isReadableFolder(ctx, id))) throw unknownFolder();
  return wholeChats(ctx, { which: "open", includePinned: true, folders: withFoldersIn(id) });
}
