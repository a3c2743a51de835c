import { asc, desc, eq, sql } from "drizzle-orm";
import { requirePermission, requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { grantView } from "../../people/grants/grant.ts";
import { mayUse, whoIs } from "../../people/grants/may-use.ts";
import { grants } from "../../people/grants/tables.ts";
import { users } from "../../people/users/tables.ts";
import { createChat } from "../conversations/chats.ts";
import { pageSize } from "../conversations/list-chats.ts";
import type { ChatResponse, WireMessage } from "../conversations/schema.ts";
import type { SharedChat, SharedSummary } from "./schema.ts";
import { chatShares, sharedMessages } from "./tables.ts";

/** A condition over the table `chat_shares`: its owner and the people in its grants; administrators have no access. */
function readableShare(user: User) {
  return sql`(chat_shares.user_id = ${user.id}
    OR ${mayUse({ ...whoIs(user), manages: sql`FALSE` }, "read", { table: "chat_shares", type: "shared_chat" })})`;
}

/**
 * A shared chat.
 * @throws AppError `not_found` for a link that is invalid, was deleted, or is not for the caller.
 */
export async function getSharedChat(ctx: Context, shareId: string): Promise<SharedChat> {
  const user = requireUser(ctx);
  const isIt = sql`chat_shares.id = ${shareId} AND ${readableShare(user)}`;
  const [[row], messages] = await ctx.db.batch([
    ctx.db
      .select({ share: chatShares, owner: users.name })
      .from(chatShares)
      .innerJoin(users, eq(users.id, chatShares.userId))
      .where(isIt),
    ctx.db
      .select()
      .from(sharedMessages)
      .where(sql`${sharedMessages.shareId} IN (SELECT chat_shares.id FROM chat_shares WHERE ${isIt})`)
      .orderBy(asc(sharedMessages.position)),
  ]);
  if (!row) throw new AppError("not_found", "No such shared chat, or it is not shared with you");
  const branch = messages.map((message, at) => wireMessage(message, messages[at - 1]?.id, messages[at + 1]?.id));
  const currentId = branch.at(-1)?.id ?? null;
  const { id, title, userId, createdAt, updatedAt } = row.share;
  return {
    id,
    user_id: userId,
    user: { id: userId, name: row.owner },
    own: userId === user.id,
    title,
    chat: {
      title,
      models: [...new Set(messages.map(({ model }) => model).filter((model) => model !== null))],
      params: {},
      history: { currentId, messages: Object.fromEntries(branch.map((message) => [message.id, message])) },
      messages: branch,
      tags: [],
      files: [],
    },
    created_at: createdAt,
    updated_at: updatedAt,
    share_id: id,
    archived: false,
    pinned: false,
    meta: {},
    variables: {},
    folder_id: null,
    tasks: null,
    summary: null,
    current_message_id: currentId,
    last_read_at: null,
  };
}

function wireMessage(
  row: typeof sharedMessages.$inferSelect,
  parentId: string | undefined,
  childId: string | undefined,
): WireMessage {
  return {
    id: row.id,
    parentId: parentId ?? null,
    childrenIds: childId === undefined ? [] : [childId],
    role: row.role,
    content: (row.parts as WireMessage["content"]) ?? row.content,
    timestamp: row.createdAt,
    done: true,
    state: "done",
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.files.length === 0 ? {} : { files: row.files.map((name) => ({ type: "file", name })) }),
    ...(row.sources.length === 0
      ? {}
      : {
          sources: row.sources.map(({ number, name }) => ({
            source: { name },
            document: [],
            metadata: [{ number, name }],
          })),
        }),
  };
}

/** The caller's links, the latest snapshot first. @param page from 1 */
export async function listShares(ctx: Context, page: number): Promise<SharedSummary[]> {
  const user = requireUser(ctx);
  const offset = (page - 1) * pageSize;
  const order = [desc(chatShares.updatedAt), desc(chatShares.id)];
  const [rows, given] = await ctx.db.batch([
    ctx.db
      .select()
      .from(chatShares)
      .where(eq(chatShares.userId, user.id))
      .orderBy(...order)
      .limit(pageSize)
      .offset(offset),
    ctx.db
      .select()
      .from(grants)
      .where(
        sql`${grants.resourceType} = 'shared_chat' AND ${grants.resourceId} IN (SELECT s.id FROM chat_shares s
          WHERE s.user_id = ${user.id} ORDER BY s.updated_at DESC, s.id DESC LIMIT ${pageSize} OFFSET ${offset})`,
      )
      .orderBy(grants.id),
  ]);
  return rows.map((row) => ({
    id: row.chatId,
    share_id: row.id,
    title: row.title,
    access_grants: given.filter((grant) => grant.resourceId === row.id).map(grantView),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }));
}

/**
 * A new chat of the caller that starts as a copy of the shared one.
 * @throws AppError `forbidden`; `not_found` as `getSharedChat`.
 */
export async function copySharedChat(ctx: Context, shareId: string): Promise<ChatResponse> {
  requirePermission(ctx, "chat.import");
  const { chat } = await getSharedChat(ctx, shareId);
  const messages = Object.fromEntries(
    // Names alone would look like files that can be asked about.
    Object.entries(chat.history.messages).map(([id, { files: _files, sources: _sources, ...message }]) => [
      id,
      message,
    ]),
  );
  const { title, models, history } = chat;
  return createChat(ctx, { chat: { title, models, history: { currentId: history.currentId, messages } } });
}
