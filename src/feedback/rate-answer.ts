import { sql, type SQL } from "drizzle-orm";
import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { insertWhere } from "../db/insert-where.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { auditRowIf } from "../people/audit/audit-row.ts";
import { chats, messages } from "../stored-chats/tables.ts";
import { feedbackViewOf } from "./feedback-rows.ts";
import { requireRating } from "./require-rating.ts";
import type { FeedbackChange, FeedbackData, FeedbackView, NewFeedback } from "./schema.ts";
import { feedback } from "./tables.ts";

/** What one person can have. */
const maxFeedback = 10_000;

/**
 * Stores what the caller says about an answer, and notes it with the message. Of one answer there is one: saying it again
 * changes what was said. The conversation is stored only where the caller allows administrators to read it.
 * @throws AppError `forbidden`; `not_found` for a message that is not the caller's; `limit_reached`
 */
export async function rateAnswer(ctx: Context, form: NewFeedback): Promise<FeedbackView> {
  const user = requireRating(ctx);
  const { data, meta } = form;
  const chatId = meta?.chat_id ?? null;
  const messageId = chatId === null ? null : (meta?.message_id ?? null);
  const isOf = sql`(SELECT f.id FROM feedback f WHERE f.user_id = ${user.id} AND f.chat_id = ${chatId} AND f.message_id = ${messageId})`;
  const isKnown = chatId === null ? sql`TRUE` : ownMessage(user.id, chatId, messageId);
  const hasRoom = sql`((SELECT count(*) FROM feedback f WHERE f.user_id = ${user.id}) < ${maxFeedback} OR ${isOf} IS NOT NULL)`;
  const now = ctx.now();
  const values = {
    id: newId(),
    userId: user.id,
    organizationId: user.organizationId,
    type: form.type,
    rating: data?.rating ?? null,
    modelId: data?.model_id ?? null,
    chatId,
    messageId,
    data: data ?? {},
    meta: meta ?? {},
    snapshot: meta?.share_chat === true ? (form.snapshot ?? null) : null,
    createdAt: now,
    updatedAt: now,
  };
  const { rating, modelId, snapshot, updatedAt } = values;
  const json = (value: unknown) => sql`${JSON.stringify(value)}`;
  const [[row], , , [state]] = await ctx.db.batch([
    insertWhere(ctx.db, feedback, values, sql`${isKnown} AND ${hasRoom}`)
      .onConflictDoUpdate({
        target: [feedback.userId, feedback.chatId, feedback.messageId],
        targetWhere: sql`message_id IS NOT NULL`,
        set: {
          type: form.type,
          rating,
          modelId,
          updatedAt,
          data: json(values.data),
          meta: json(values.meta),
          snapshot: snapshot === null ? null : json(snapshot),
        },
      })
      .returning(),
    auditRowIf(ctx, {
      action: "feedback.given",
      targetType: "feedback",
      targetId: values.id,
      organizationId: user.organizationId,
      detail: { rating, model: modelId },
    }),
    noteOnMessage(ctx, user.id, sql`${chatId}`, sql`${messageId}`, data ?? {}, isOf),
    ctx.db.all<{ known: number }>(sql`SELECT ${isKnown} AS known`),
  ]);
  if (row) return feedbackViewOf(row);
  if (!state!.known) throw new AppError("not_found", "No such message");
  throw new AppError(
    "limit_reached",
    `You can have at most ${maxFeedback} ratings. Delete some that you no longer need`,
  );
}

/** @throws AppError `forbidden`; `not_found`, also for what others have said */
export async function changeFeedback(ctx: Context, id: string, change: FeedbackChange): Promise<FeedbackView> {
  const user = requireRating(ctx);
  const { data, meta, snapshot, type } = change;
  const isOwn = sql`${feedback.id} = ${id} AND ${feedback.userId} = ${user.id}`;
  const shares = meta?.share_chat;
  const place = (column: "chat_id" | "message_id") =>
    sql`(SELECT ${sql.raw(column)} FROM feedback f WHERE f.id = ${id} AND f.user_id = ${user.id})`;
  const [[row]] = await ctx.db.batch([
    ctx.db
      .update(feedback)
      .set({
        updatedAt: sql`max(${ctx.now()}, ${feedback.updatedAt})`,
        ...(type === undefined ? {} : { type }),
        ...(data ? { data, rating: data.rating ?? null, modelId: data.model_id ?? sql`model_id` } : {}),
        // What it is about stays.
        ...(meta
          ? {
              meta: sql`json_patch(${JSON.stringify(meta)}, json_object('chat_id', chat_id, 'message_id', message_id))`,
            }
          : {}),
        ...(shares === false ? { snapshot: null } : shares === true && snapshot ? { snapshot } : {}),
      })
      .where(isOwn)
      .returning(),
    auditRowIf(ctx, {
      action: "feedback.changed",
      targetType: "feedback",
      targetId: id,
      organizationId: user.organizationId,
      detail: data ? { rating: data.rating ?? null } : {},
    }),
    ...(data ? [noteOnMessage(ctx, user.id, place("chat_id"), place("message_id"), data, sql`${id}`)] : []),
  ]);
  if (!row) throw new AppError("not_found", "No such rating");
  return feedbackViewOf(row);
}

/**
 * Takes back one's own rating; also while ratings are switched off. System administrators can delete everyone's.
 * @throws AppError `not_found`, `legal_hold`
 */
export async function deleteFeedback(ctx: Context, id: string): Promise<void> {
  const user = requireUser(ctx);
  const may = user.role === "admin" ? sql`TRUE` : sql`f.user_id = ${user.id}`;
  const [, deleted] = await ctx.db.batch([
    forgetOnMessages(ctx, sql`SELECT f.* FROM feedback f WHERE f.id = ${id} AND ${may}`),
    ctx.db
      .delete(feedback)
      .where(sql`id IN (SELECT f.id FROM feedback f WHERE f.id = ${id} AND ${may})`)
      .returning({ id: feedback.id }),
    auditRowIf(ctx, { action: "feedback.deleted", targetType: "feedback", targetId: id }),
  ]);
  if (deleted.length === 0) throw new AppError("not_found", "No such rating");
}

/** Whether the message is one of the person's own. */
function ownMessage(userId: string, chatId: string, messageId: string | null): SQL {
  const message =
    messageId === null
      ? sql``
      : sql` AND EXISTS (SELECT 1 FROM ${messages} m WHERE m.chat_id = c.id AND m.id = ${messageId})`;
  return sql`EXISTS (SELECT 1 FROM ${chats} c WHERE c.id = ${chatId} AND c.user_id = ${userId}${message})`;
}

/** What clients of Open WebUI keep with a message: the rating without what is known of the message anyway. */
export function noteOnMessage(
  ctx: Context,
  userId: string,
  chatId: SQL,
  messageId: SQL,
  data: Partial<FeedbackData>,
  id: SQL,
) {
  const { model_id: _, sibling_model_ids: _others, ...annotation } = data;
  return ctx.db
    .run(sql`UPDATE messages SET extra = json_set(extra, '$.annotation', json(${JSON.stringify(annotation)}), '$.feedbackId', ${id})
    WHERE chat_id = ${chatId} AND id = ${messageId} AND user_id = ${userId} AND ${id} IS NOT NULL`);
}

/** @param rated rows of `feedback` */
export function forgetOnMessages(ctx: Context, rated: SQL) {
  return ctx.db.run(sql`UPDATE messages SET extra = json_remove(extra, '$.annotation', '$.feedbackId')
    WHERE (chat_id, id) IN (SELECT r.chat_id, r.message_id FROM (${rated}) r WHERE r.message_id IS NOT NULL)`);
}
