import { desc, eq } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { maxPersonBytes } from "../../people/totals/storage-room.ts";
import { personTotals } from "../../people/totals/tables.ts";
import { files } from "../files/tables.ts";
import type { OwnStorage } from "./schema.ts";

/** What the caller has stored, what they may store, and their largest files. One round trip. */
export async function getOwnStorage(ctx: Context, limit: number): Promise<OwnStorage> {
  const user = requireUser(ctx);
  const { settings } = ctx;
  const [[totals], largest] = await ctx.db.batch([
    ctx.db.select().from(personTotals).where(eq(personTotals.userId, user.id)),
    ctx.db
      .select({
        id: files.id,
        filename: files.filename,
        content_type: files.contentType,
        size: files.size,
        chat_id: files.chatId,
        created_at: files.createdAt,
      })
      .from(files)
      .where(eq(files.userId, user.id))
      .orderBy(desc(files.size), desc(files.id))
      .limit(limit),
  ]);
  return {
    used_bytes: totals?.bytes ?? 0,
    held_bytes: totals?.heldBytes ?? 0,
    max_bytes: maxPersonBytes(settings) ?? null,
    file_count: totals?.files ?? 0,
    max_files: settings.MAX_FILES || null,
    chat_count: totals?.chats ?? 0,
    max_chats: settings.MAX_CHATS || null,
    largest_files: largest,
  };
}
