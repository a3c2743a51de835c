import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import { requirePermission, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import type { Database } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { grantView } from "../../people/grants/grant.ts";
import { checkGrants } from "../../people/grants/grants.ts";
import type { GrantView } from "../../people/grants/schema.ts";
import { setGrants } from "../../people/grants/set-grants.ts";
import { grants } from "../../people/grants/tables.ts";
import { chats } from "../../stored-chats/tables.ts";
import { getChat } from "../conversations/chats.ts";
import type { ChatResponse } from "../conversations/schema.ts";
import { messageLists } from "../conversations/write-messages.ts";
import { snapshotOf, type SharedMessage } from "./chat-snapshot.ts";
import type { ShareView } from "./schema.ts";
import { chatShares, sharedMessages } from "./tables.ts";

/**
 * Shares the current branch in its current state; a shared chat keeps its link and shows the new state.
 * @param given who may read it; undefined: unchanged
 * @throws AppError `not_found` for a chat that is unknown or not the caller's; `forbidden`; `validation_failed` for
 *   readers who do not exist, and for a chat without messages.
 */
export async function shareChat(ctx: Context, chatId: string, given?: GrantView[]): Promise<ChatResponse> {
  const user = requirePermission(ctx, "chat.share");
  const chat = await getChat(ctx, chatId);
  const shown = snapshotOf(chat.chat.messages);
  if (shown.length === 0) throw new AppError("validation_failed", "This chat has no messages to share yet");
  if (given) await checkGrants(ctx, user, "shared_chat", given, await currentGrants(ctx, chatId));
  const now = ctx.now();
  const ours = sql`(SELECT id FROM chat_shares WHERE chat_id = ${chatId} AND user_id = ${user.id})`;
  await runBatch(ctx.db, [
    ctx.db.run(sql`INSERT INTO chat_shares (id, chat_id, user_id, organization_id, title, created_at, updated_at)
      SELECT ${newId()}, id, user_id, ${user.organizationId}, ${chat.title}, ${now}, ${now}
      FROM chats WHERE id = ${chatId} AND user_id = ${user.id}
      ON CONFLICT (chat_id) DO UPDATE SET title = excluded.title, updated_at = excluded.updated_at, organization_id = excluded.organization_id`),
    auditRowIf(ctx, {
      action: "chat.shared",
      targetType: "chat",
      targetId: chatId,
      organizationId: user.organizationId,
      detail: { messages: shown.length, ...(given ? { access_grants: given } : {}) },
    }),
    ctx.db
      .update(chats)
      .set({ shareId: ours })
      .where(and(eq(chats.id, chatId), eq(chats.userId, user.id))),
    ctx.db.run(sql`DELETE FROM shared_messages WHERE share_id = ${ours}`),
    ...insertSharedMessages(ctx.db, shown, sql`s.chat_id = ${chatId} AND s.user_id = ${user.id}`),
    ...(given ? setGrants(ctx, "shared_chat", ours, given, sql`${ours} IS NOT NULL`) : []),
  ]);
  return getChat(ctx, chatId);
}

/**
 * Statements: what a link shows.
 * @param which a condition over `chat_shares` as `s`
 * @throws AppError `payload_too_large` for a message that cannot be stored
 */
export function insertSharedMessages(db: Database, shown: readonly SharedMessage[], which: SQL) {
  const rows = shown.map(({ id, role, content, parts, model, files, sources, createdAt }, at) => ({
    n: at,
    i: id,
    r: role,
    c: content,
    p: parts ?? undefined,
    m: model,
    f: files,
    s: sources,
    t: createdAt,
  }));
  return messageLists(rows).map((list) =>
    db.run(sql`
      INSERT INTO shared_messages (share_id, position, id, role, content, parts, model, files, sources, created_at)
      SELECT s.id, m.value->>'n', m.value->>'i', m.value->>'r', m.value->>'c', m.value->'p', m.value->>'m', m.value->'f', m.value->'s', m.value->>'t'
      FROM json_each(${`[${list}]`}) m CROSS JOIN chat_shares s WHERE ${which}`),
  );
}

/**
 * Sets who may read it.
 * @throws AppError `not_found` for a chat that is not the caller's or not shared; as `shareChat`.
 */
export async function changeReaders(ctx: Context, chatId: string, given: GrantView[]): Promise<ChatResponse> {
  const user = requireUser(ctx);
  const [[share], current] = await ctx.db.batch([selectShare(ctx, chatId), selectGrants(ctx, chatId)]);
  if (!share) throw notShared();
  const { id } = share;
  await checkGrants(ctx, user, "shared_chat", given, current.map(grantView));
  const isOurs = sql`EXISTS (SELECT 1 FROM chat_shares WHERE id = ${id} AND user_id = ${user.id})`;
  await runBatch(ctx.db, [
    ...setGrants(ctx, "shared_chat", id, given, isOurs),
    auditRowIf(
      ctx,
      {
        action: "chat.readers_updated",
        targetType: "chat",
        targetId: chatId,
        organizationId: user.organizationId,
        detail: { access_grants: given },
      },
      isOurs,
    ),
  ]);
  return getChat(ctx, chatId);
}

/**
 * Deletes the link immediately.
 * @throws AppError `not_found` for a chat that is not the caller's or not shared.
 */
export async function unshareChat(ctx: Context, chatId: string): Promise<void> {
  const user = requireUser(ctx);
  const [deleted] = await ctx.db.batch([
    ctx.db
      .delete(chatShares)
      .where(and(eq(chatShares.chatId, chatId), eq(chatShares.userId, user.id)))
      .returning({ id: chatShares.id }),
    auditRowIf(ctx, {
      action: "chat.unshared",
      targetType: "chat",
      targetId: chatId,
      organizationId: user.organizationId,
    }),
    ctx.db
      .update(chats)
      .set({ shareId: null })
      .where(and(eq(chats.id, chatId), eq(chats.userId, user.id))),
  ]);
  if (deleted.length === 0) throw notShared();
}

/**
 * The link of one of the caller's chats.
 * @throws AppError `not_found` for a chat that is not the caller's or not shared.
 */
export async function getShare(ctx: Context, chatId: string): Promise<ShareView> {
  const { shareId, position, ...fields } = getTableColumns(sharedMessages);
  const [[share], given, shown] = await ctx.db.batch([
    selectShare(ctx, chatId),
    selectGrants(ctx, chatId),
    ctx.db
      .select(fields)
      .from(sharedMessages)
      .innerJoin(chatShares, eq(chatShares.id, shareId))
      .where(isShareOf(ctx, chatId))
      .orderBy(position),
  ]);
  if (!share) throw notShared();
  const { id, title, createdAt, updatedAt } = share;
  const { chat } = await getChat(ctx, chatId);
  return {
    id,
    chat_id: chatId,
    title,
    access_grants: given.map(grantView),
    created_at: createdAt,
    updated_at: updatedAt,
    // By what it shows: times have seconds, and what happens within one would not count.
    outdated: title !== chat.title || JSON.stringify(shown) !== JSON.stringify(snapshotOf(chat.messages)),
  };
}

const isShareOf = (ctx: Context, chatId: string) =>
  and(eq(chatShares.chatId, chatId), eq(chatShares.userId, requireUser(ctx).id));

/** Statement: the link of one of the caller's chats. */
function selectShare(ctx: Context, chatId: string) {
  return ctx.db.select().from(chatShares).where(isShareOf(ctx, chatId));
}

/** Statement: who may read the chat through its link. */
function selectGrants(ctx: Context, chatId: string) {
  return ctx.db
    .select()
    .from(grants)
    .where(
      sql`${grants.resourceType} = 'shared_chat' AND ${grants.resourceId} = (SELECT s.id FROM chat_shares s
        WHERE s.chat_id = ${chatId} AND s.user_id = ${requireUser(ctx).id})`,
    )
    .orderBy(grants.id);
}

const currentGrants = async (ctx: Context, chatId: string) => (await selectGrants(ctx, chatId)).map(grantView);

function notShared(): AppError {
  return new AppError("not_found", "This chat is not shared");
}
