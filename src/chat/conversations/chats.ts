import { and, asc, eq, not, sql, type SQL } from "drizzle-orm";
import { requirePermission, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { cleanJson, cleanText } from "../../lib/clean-text.ts";
import { newId } from "../../lib/id.ts";
import { tooManyChats } from "../../people/totals/chat-room.ts";
import { isUntitled, untitled } from "../../shared/chat-title.ts";
import { chats, chatTags, messageItems, messages } from "../../stored-chats/tables.ts";
import { findFolderForChat, isReadableFolder, readableFolderId } from "../folders/folder-of-chat.ts";
import { announceList } from "./announce-chats.ts";
import { buildChat, type ChatRow, type ItemRow, type MessageRow } from "./build-chat.ts";
import { planTree, type TreePlan } from "./plan-tree.ts";
import { readHistory } from "./read-history.ts";
import { inPages, isOnPage } from "./read-in-pages.ts";
import { requireRoom, requireStoring } from "./require-storing.ts";
import type { ChatDocument, ChatResponse } from "./schema.ts";
import { storeChats, type StorableChat } from "./store-chats.ts";
import { newMessages } from "./write-messages.ts";

const noChat = () => new AppError("not_found", "No such chat");

/** Keys of the chat document that have their own columns or tables; all other keys are stored unchanged. */
const ownKeys: ReadonlySet<string> = new Set(["id", "title", "models", "params", "history", "messages", "tags"]);

/** @throws AppError `not_found` for a chat that is unknown or not the caller's. */
export async function getChat(ctx: Context, id: string): Promise<ChatResponse> {
  const [chat] = await getChats(ctx, [id]);
  if (!chat) throw noChat();
  return chat;
}

/**
 * The given chats that belong to the caller, with messages, in the order of the ids. One round trip, if they are not very
 * large.
 */
export async function getChats(ctx: Context, ids: readonly string[]): Promise<ChatResponse[]> {
  return loadChats(ctx.db, ids, requireUser(ctx).id);
}

/** The same of anybody, for callers who may read it. @param userId only this person's */
export async function loadChats(db: Database, ids: readonly string[], userId?: string): Promise<ChatResponse[]> {
  if (ids.length === 0) return [];
  const given = sql`SELECT value FROM json_each(${JSON.stringify(ids)})`;
  // The plus keeps SQLite from reading all chats of the person to find these among them.
  const isTheirs = userId === undefined ? sql`` : sql`AND +user_id = ${userId}`;
  const mine = sql`SELECT id FROM chats WHERE id IN (${given}) ${isTheirs}`;
  const { chatId, userId: _, ...columns } = messageColumns;
  const page = (after: number, rows: number) =>
    db
      .select({ number: messages.number, chatId, row: columns })
      .from(messages)
      .where(isOnPage(mine, after, rows))
      .orderBy(asc(messages.number));
  const chatRows: ChatRow[] = [];
  const itemRows: (ItemRow & { chatId: string })[] = [];
  const tagRows: (typeof chatTags.$inferSelect)[] = [];
  const messageRows = await inPages(async (after, rows) => {
    if (after > 0) return page(after, rows);
    const [pageRows, ...others] = await db.batch([
      page(after, rows),
      db
        .select()
        .from(chats)
        .where(sql`${chats.id} IN (${mine})`),
      db
        .select({
          chatId: messageItems.chatId,
          messageId: messageItems.messageId,
          number: messageItems.number,
          kind: messageItems.kind,
          data: messageItems.data,
        })
        .from(messageItems)
        .where(sql`${messageItems.chatId} IN (${mine})`)
        .orderBy(asc(messageItems.number)),
      db
        .select()
        .from(chatTags)
        .where(sql`${chatTags.chatId} IN (${mine})`)
        .orderBy(asc(chatTags.name)),
    ]);
    chatRows.push(...others[0]);
    itemRows.push(...others[1]);
    tagRows.push(...others[2]);
    return pageRows;
  });
  const found = new Map(
    chatRows.map((row) => [
      row.id,
      { row, messages: [] as MessageRow[], items: [] as ItemRow[], tags: [] as string[] },
    ]),
  );
  for (const { chatId, row } of messageRows) found.get(chatId)?.messages.push(row);
  for (const { chatId, ...item } of itemRows) found.get(chatId)?.items.push(item);
  for (const { chatId, name } of tagRows) found.get(chatId)?.tags.push(name);
  return ids
    .map((id) => found.get(id))
    .filter((chat) => chat !== undefined)
    .map((chat) => buildChat(chat.row, chat.messages, chat.items, chat.tags));
}

/** What a message is built from. */
export const messageColumns = {
  number: messages.number,
  chatId: messages.chatId,
  userId: messages.userId,
  id: messages.id,
  parentId: messages.parentId,
  role: messages.role,
  content: messages.content,
  parts: messages.parts,
  reasoning: messages.reasoning,
  model: messages.model,
  state: messages.state,
  error: messages.error,
  usage: messages.usage,
  extra: messages.extra,
  runId: messages.runId,
  createdAt: messages.createdAt,
  updatedAt: messages.updatedAt,
};

export interface NewChat {
  chat: ChatDocument;
  variables?: Record<string, unknown> | null | undefined;
  folderId?: string | null | undefined;
}

/**
 * Creates a chat with its messages. In a folder, and without models of its own, it takes those of the folder.
 * @throws AppError `forbidden` for people who may have only temporary chats; `limit_reached` for people who have as many
 *   chats as they may; `validation_failed` for a parent that does not exist or a loop of parents; `not_found` for a folder
 *   that is unknown or that the caller cannot read.
 */
export async function createChat(ctx: Context, given: NewChat): Promise<ChatResponse> {
  const folder = given.folderId ? await findFolderForChat(ctx, given.folderId) : undefined;
  const takesModels = folder && !given.chat.models?.length;
  const input = takesModels ? { ...given, chat: { ...given.chat, models: folder.modelIds } } : given;
  const plan = planTree([], readHistory(input.chat));
  refuseBroken(plan, input.chat);
  const id = newId();
  const stored = await storeChats(ctx, [newChat(ctx, id, input, plan)]);
  if (stored === 0) throw tooManyChats(ctx);
  announceList(ctx, requireUser(ctx).id, id);
  return getChat(ctx, id);
}

/** Values of the chat's row that come from an import. */
export type ChatOverrides = Partial<
  Pick<
    ChatRow,
    | "title"
    | "titleChosen"
    | "meta"
    | "pinned"
    | "archived"
    | "currentMessageId"
    | "lastReadAt"
    | "createdAt"
    | "updatedAt"
  >
>;

/** Whose a chat is and where; SQL is what only the database knows. */
export interface ChatPlace {
  userId: string;
  organizationId: string | SQL;
  folderId: SQL | null;
}

/**
 * A new chat of the caller with the planned messages.
 * @throws AppError `forbidden`; `validation_failed` for more messages than a chat may have
 */
export function newChat(
  ctx: Context,
  id: string,
  input: NewChat,
  plan: TreePlan,
  overrides: ChatOverrides = {},
): StorableChat {
  const user = requireStoring(ctx);
  requireRoom(ctx, plan.inserts.length);
  const folderId = input.folderId ? readableFolderId(user, input.folderId) : null;
  const place = { userId: user.id, organizationId: user.organizationId, folderId };
  return newChatAt(ctx, place, id, input, plan, overrides);
}

/** The same for anybody, for callers who have made sure that it may be there. */
export function newChatAt(
  ctx: Context,
  { userId, organizationId, folderId }: ChatPlace,
  id: string,
  { chat, variables }: NewChat,
  plan: TreePlan,
  overrides: ChatOverrides = {},
): StorableChat {
  const now = ctx.now();
  const title = cleanText(overrides.title ?? chat.title ?? "").trim();
  const { tags: _, ...meta } = overrides.meta ?? {};
  const row = {
    id,
    userId,
    organizationId,
    titleChosen: !isUntitled(title),
    models: chat.models ?? [],
    params: chat.params ?? {},
    variables: variables ?? {},
    extra: JSON.parse(cleanJson(extraOf(chat))) as Record<string, unknown>,
    currentMessageId: currentOf(chat, plan) ?? plan.newestLeaf,
    folderId,
    createdAt: now,
    updatedAt: now,
    ...overrides,
    title: isUntitled(title) ? untitled : title,
    meta,
  };
  return { row, messages: newMessages(id, plan.inserts), tags: tagNames(chat, overrides.meta) };
}

/** The parts of the chat document that are stored unchanged. */
export function extraOf(chat: ChatDocument): Record<string, unknown> {
  return Object.fromEntries(Object.entries(chat).filter(([key]) => !ownKeys.has(key)));
}

/** The message that the document marks as current, if it exists. */
export function currentOf(chat: ChatDocument, plan: TreePlan): string | undefined {
  const current = chat.history?.currentId ?? undefined;
  return plan.inserts.some(({ change }) => change.id === current) ? current : undefined;
}

/** Tags come as names or as Open WebUI's objects, in the document or in the row's `meta`. */
function tagNames(chat: ChatDocument, meta: Record<string, unknown> = {}): string[] {
  const given = chat.tags && chat.tags.length > 0 ? chat.tags : Array.isArray(meta["tags"]) ? meta["tags"] : [];
  const names = given.map((tag: unknown) => (typeof tag === "string" ? tag : (tag as { name?: unknown } | null)?.name));
  return names.filter((name) => typeof name === "string" && name.trim() !== "" && name.length <= 100) as string[];
}

/** @throws AppError `validation_failed` that lists every broken place. */
export function refuseBroken(plan: TreePlan, chat: ChatDocument, known: readonly { id: string }[] = []): void {
  const issues = [...plan.issues];
  const current = chat.history?.currentId;
  const exists = (id: string) => known.some((message) => message.id === id) || currentOf(chat, plan) === id;
  if (current && !exists(current)) {
    issues.push({ path: "chat.history.currentId", message: `no message ${current} in this chat` });
  }
  const [first] = issues;
  if (first) throw new AppError("validation_failed", `${first.path}: ${first.message}`, { issues, param: first.path });
}

/**
 * Sets a flag of a chat; toggles it if `wanted` is missing.
 * @throws AppError `not_found`.
 */
export async function mark(
  ctx: Context,
  id: string,
  flag: "pinned" | "archived",
  wanted: boolean | null | undefined,
): Promise<ChatResponse> {
  const user = requireUser(ctx);
  const changed = await ctx.db
    .update(chats)
    .set({ [flag]: wanted ?? not(chats[flag]) })
    .where(and(eq(chats.id, id), eq(chats.userId, user.id)))
    .returning({ id: chats.id });
  if (changed.length === 0) throw noChat();
  announceList(ctx, user.id, id);
  return getChat(ctx, id);
}

/** @throws AppError `not_found`. */
export async function isPinned(ctx: Context, id: string): Promise<boolean> {
  const [chat] = await ctx.db
    .select({ pinned: chats.pinned })
    .from(chats)
    .where(and(eq(chats.id, id), eq(chats.userId, requireUser(ctx).id)));
  if (!chat) throw noChat();
  return chat.pinned;
}

/** Archives or unarchives all chats of the caller. */
export async function archiveAll(ctx: Context, archived: boolean): Promise<void> {
  const user = requireUser(ctx);
  await ctx.db
    .update(chats)
    .set({ archived })
    .where(and(eq(chats.userId, user.id), eq(chats.archived, !archived)));
  announceList(ctx, user.id);
}

/**
 * A copy of one of the caller's chats, with a new name.
 * @throws AppError `forbidden`; `not_found`.
 */
export async function cloneChat(ctx: Context, id: string, title?: string | null): Promise<ChatResponse> {
  requirePermission(ctx, "chat.fork");
  const original = await getChat(ctx, id);
  return copyChat(ctx, original, {
    title: title?.trim() ? title : `Clone of ${original.title}`,
    history: original.chat.history,
    branchPointMessageId: original.current_message_id,
  });
}

/** What a copy of a chat has of its own. */
export interface ChatCopy {
  title: string;
  history: ChatResponse["chat"]["history"];
  /** The message that the copy begins to differ after. */
  branchPointMessageId: string | null;
}

/** Stores a copy of one of the caller's chats, in the same folder if they can still read it. @throws as `createChat` */
export async function copyChat(ctx: Context, original: ChatResponse, copy: ChatCopy): Promise<ChatResponse> {
  const entries = Object.entries(copy.history.messages).map(([key, message]) => {
    // Nothing writes on in the copy.
    const ended = message.state === "streaming" ? { ...message, state: "interrupted" as const, done: true } : message;
    return [key, ended] as const;
  });
  const chat = {
    ...original.chat,
    ...copy,
    history: { ...copy.history, messages: Object.fromEntries(entries) },
    originalChatId: original.id,
  };
  const folderId = original.folder_id;
  const isInFolder = folderId !== null && (await isReadableFolder(ctx, folderId));
  return createChat(ctx, { chat, variables: original.variables, folderId: isInFolder ? folderId : null });
}
