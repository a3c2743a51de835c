import { and, desc, eq, lt, or, sql, type SQL } from "drizzle-orm";
import { requirePermission, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { listAsJson } from "../../db/list-as-json.ts";
import { decodeCursor, encodeCursor } from "../../db/page.ts";
import { chats } from "../../stored-chats/tables.ts";
import { loadFolderPaths } from "../folders/folder-paths.ts";
import { readableFolders } from "../folders/readable-folders.ts";
import { buildSummary } from "./build-chat.ts";
import { getChats } from "./chats.ts";
import type { ChatResponse, ChatSummary } from "./schema.ts";
import { tagsOf, taggedWith } from "./tag-statements.ts";

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
  /** Name or id of a tag. */
  tag?: string | undefined;
  /** How many of the list are left out before the first one, and how many it has at most; instead of pages. */
  skip?: number | undefined;
  limit?: number | undefined;
  /** Only those in folders: SQL for use after IN. */
  folders?: SQL | undefined;
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
  tags: tagsOf(sql`${chats}.id`),
};

/** The caller's chats, the most recently changed first; never reads a message. `nextCursor` is null on the last page. */
export async function listChats(
  ctx: Context,
  options: ListOptions,
): Promise<{ chats: ChatSummary[]; nextCursor: string | null }> {
  const user = requireUser(ctx);
  const { which } = options;
  const isPaged = options.page !== undefined || options.cursor !== undefined;
  const limit = options.limit ?? (isPaged ? pageSize : maxListed);
  const query = ctx.db
    .select(summaryColumns)
    .from(chats)
    .where(
      and(
        eq(chats.userId, user.id),
        which === "all" ? undefined : eq(chats.archived, which === "archived"),
        which === "pinned" ? eq(chats.pinned, true) : undefined,
        which === "open" && !options.includePinned ? eq(chats.pinned, false) : undefined,
        // What is in a folder that is no longer shared with the caller would otherwise be in no list.
        which === "open" && !options.includeFolders && !options.folders
          ? sql`(${chats.folderId} IS NULL OR ${chats.folderId} NOT IN ${readableFolders(user)})`
          : undefined,
        options.folders &&
          sql`${chats.folderId} IN ${options.folders} AND ${chats.folderId} IN ${readableFolders(user)}`,
        options.tag === undefined ? undefined : sql`${chats.id} IN ${taggedWith(user.id, options.tag)}`,
        options.cursor === undefined ? undefined : after(options.cursor),
      ),
    )
    .orderBy(desc(chats.updatedAt), desc(chats.id))
    .limit(limit + 1)
    .offset(
      options.skip ?? (options.cursor === undefined && options.page !== undefined ? (options.page - 1) * pageSize : 0),
    );
  const rows = await listAsJson(ctx.db, summaryColumns, query);
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
  return exportedChats(ctx, which);
}

async function* exportedChats(ctx: Context, which: "all" | "archived"): AsyncGenerator<ChatResponse> {
  let paths: Map<string, string[]> | undefined;
  for await (const chat of wholeChats(ctx, { which })) {
    if (chat.folder_id !== null) paths ??= await loadFolderPaths(ctx);
    yield withFolderPath(chat, paths);
  }
}

/** The chat with the names of its folders, so that an import elsewhere finds or makes the same. */
export function withFolderPath(chat: ChatResponse, paths: ReadonlyMap<string, string[]> | undefined): ChatResponse {
  const path = chat.folder_id === null ? undefined : paths?.get(chat.folder_id);
  return path ? { ...chat, folder_path: path } : chat;
}

/** The caller's chats with messages, the most recently changed first. */
export async function* wholeChats(
  ctx: Context,
  options: Omit<ListOptions, "page" | "cursor" | "skip" | "limit">,
): AsyncGenerator<ChatResponse> {
  const chatsAtOnce = 10;
  let cursor: string | undefined;
  for (;;) {
    const { chats: page, nextCursor } = await listChats(ctx, {
      ...options,
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
