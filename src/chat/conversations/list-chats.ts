import { and, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import { requirePermission, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { decodeCursor, encodeCursor } from "../../db/page.ts";
import { buildSummary } from "./build-chat.ts";
import { getChats } from "./chats.ts";
import type { ChatResponse, ChatSummary } from "./schema.ts";
import { chats, chatTags } from "./tables.ts";

/** Chats per page, as in Open WebUI. */
export const pageSize = 60;

/** Maximum number of chats in a list without pages. */
const maxListed = 5000;

export interface ListOptions {
  which: "open" | "pinned" | "archived" | "all";
  /** Without `page` and `cursor` the whole list. */
  page?: number | undefined;
  /** Where the previous page ended. Wins over `page`, and stays correct when chats are added or removed in between. */
  cursor?: string | undefined;
  /** `open` lists exclude these by default, as in Open WebUI: they have their own lists. */
  includePinned?: boolean | undefined;
  includeFolders?: boolean | undefined;
  tag?: string | undefined;
}

const summaryColumns = {
  id: chats.id,
  title: chats.title,
  updatedAt: chats.updatedAt,
  createdAt: chats.createdAt,
  lastReadAt: chats.lastReadAt,
  pinned: chats.pinned,
  archived: chats.archived,
  folderId: chats.folderId,
};

/** The caller's chats, the most recently changed first; never reads a message. `nextCursor` is null on the last page. */
export async function listChats(
  ctx: Context,
  options: ListOptions,
): Promise<{ chats: ChatSummary[]; nextCursor: string | null }> {
  const user = requireUser(ctx);
  const { which } = options;
  const isPaged = options.page !== undefined || options.cursor !== undefined;
  const limit = isPaged ? pageSize : maxListed;
  const rows = await ctx.db
    .select(summaryColumns)
    .from(chats)
    .where(
      and(
        eq(chats.userId, user.id),
        which === "all" ? undefined : eq(chats.archived, which === "archived"),
        which === "pinned" ? eq(chats.pinned, true) : undefined,
        which === "open" && !options.includePinned ? eq(chats.pinned, false) : undefined,
        which === "open" && !options.includeFolders ? isNull(chats.folderId) : undefined,
        options.tag === undefined
          ? undefined
          : sql`${chats.id} IN (SELECT ${chatTags.chatId} FROM ${chatTags} WHERE ${chatTags.name} = ${options.tag})`,
        options.cursor === undefined ? undefined : after(options.cursor),
      ),
    )
    .orderBy(desc(chats.updatedAt), desc(chats.id))
    .limit(limit + 1)
    .offset(options.cursor === undefined && options.page !== undefined ? (options.page - 1) * pageSize : 0);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { chats: page.map(buildSummary), nextCursor: last ? encodeCursor([last.updatedAt, last.id]) : null };
}

/** @throws AppError `bad_request` for an invalid cursor. */
function after(cursor: string) {
  const [updatedAt, id] = decodeCursor(cursor, 2);
  const time = Number(updatedAt);
  return or(lt(chats.updatedAt, time), and(eq(chats.updatedAt, time), lt(chats.id, String(id))));
}

/**
 * The caller's chats with messages, a few at a time, so that an export of any size fits into memory.
 * @throws AppError `forbidden`, before the first chat.
 */
export function exportChats(ctx: Context, which: "all" | "archived"): AsyncGenerator<ChatResponse> {
  requirePermission(ctx, "chat.export");
  return wholeChats(ctx, which);
}

async function* wholeChats(ctx: Context, which: "all" | "archived"): AsyncGenerator<ChatResponse> {
  const chatsAtOnce = 10;
  let cursor: string | undefined;
  for (;;) {
    const { chats: page, nextCursor } = await listChats(ctx, {
      which,
      ...(cursor === undefined ? { page: 1 } : { cursor }),
    });
    for (let at = 0; at < page.length; at += chatsAtOnce) {
      const ids = page.slice(at, at + chatsAtOnce).map((chat) => chat.id);
      yield* await getChats(ctx, ids);
    }
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
