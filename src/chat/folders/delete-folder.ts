import { and, eq, not, sql } from "drizzle-orm";
import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { isHeld } from "../../people/holds/is-held.ts";
import { legalHoldError } from "../../people/holds/legal-hold-error.ts";
import { announceList, stopRunsOf } from "../conversations/announce-chats.ts";
import { maxChats, removeSomeChats } from "../conversations/delete-chats.ts";
import { unknownFolder } from "./folder-of-chat.ts";
import { findFolder, requireFolders } from "./folders.ts";
import { withFoldersIn } from "./readable-folders.ts";
import { folders } from "./tables.ts";

/**
 * Deletes a folder of the caller's with all folders in it. Chats in them stay, outside of any folder; `withChats` deletes
 * the caller's own, while those of others stay in any case.
 * @throws AppError `not_found`, `forbidden`, `legal_hold`
 */
export async function deleteFolder(ctx: Context, id: string, withChats: boolean): Promise<void> {
  const user = requireFolders(ctx);
  const found = await findFolder(ctx, id, "owner");
  if (withChats && found.chat_count > 0) {
    requirePermission(ctx, "chat.delete");
    await deleteChatsIn(ctx, user.id, id);
  }
  const held = isHeld(sql`${folders.userId}`, sql`${folders.organizationId}`);
  const [deleted, , kept] = await ctx.db.batch([
    ctx.db
      .delete(folders)
      .where(and(eq(folders.id, id), eq(folders.userId, user.id), not(held)))
      .returning({ id: folders.id }),
    auditRowIf(ctx, {
      action: "folder.deleted",
      targetType: "folder",
      targetId: id,
      detail: {
        name: found.name,
        folders: found.folder_count + 1,
        chats_deleted: withChats ? found.chat_count : 0,
      },
    }),
    ctx.db.select({ id: folders.id }).from(folders).where(eq(folders.id, id)),
  ]);
  announceList(ctx, user.id);
  if (kept.length > 0) throw legalHoldError();
  if (deleted.length === 0) throw unknownFolder();
}

async function deleteChatsIn(ctx: Context, userId: string, id: string): Promise<void> {
  for (;;) {
    const removed = await removeSomeChats(
      ctx.db,
      sql`FROM chats c WHERE +c.user_id = ${userId} AND c.folder_id IN ${withFoldersIn(id)}`,
    );
    stopRunsOf(ctx, userId, new Set(removed.map(({ chatId }) => chatId)));
    if (removed.length < maxChats) return;
  }
}
