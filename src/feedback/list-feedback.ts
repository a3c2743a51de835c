import { and, asc, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { requireAdmin, requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { users } from "../people/users/tables.ts";
import { feedbackViewOf, plainFeedback } from "./feedback-rows.ts";
import type { FeedbackFilter, FeedbackId, FeedbackPage, FeedbackQuery, FeedbackView } from "./schema.ts";
import { feedback } from "./tables.ts";

/** As in Open WebUI. */
const pageSize = 30;

const { snapshot: _, ...plainColumns } = getTableColumns(feedback);
const columns = {
  ...plainColumns,
  hasChat: sql<number>`${feedback.snapshot} IS NOT NULL`,
  name: users.name,
  email: users.email,
  role: users.role,
  lastActiveAt: users.lastActiveAt,
  userCreatedAt: users.createdAt,
  userUpdatedAt: users.updatedAt,
};

const orders = {
  username: sql`${users.name} COLLATE NOCASE`,
  model_id: feedback.modelId,
  rating: feedback.rating,
  updated_at: feedback.updatedAt,
  created_at: feedback.createdAt,
} as const;

/** What everyone has said. @throws AppError `forbidden` for people who are not system administrators */
export async function listFeedback(ctx: Context, query: FeedbackQuery): Promise<FeedbackPage> {
  requireAdmin(ctx);
  const { order_by: by = "updated_at", direction = "desc", page } = query;
  return readPage(ctx, whereOf(query), page, (direction === "asc" ? asc : desc)(orders[by]));
}

/** What the caller has said, last changed first. */
export async function listOwnFeedback(ctx: Context, page: number): Promise<FeedbackPage> {
  return readPage(ctx, eq(feedback.userId, requireUser(ctx).id), page, desc(feedback.updatedAt));
}

async function readPage(ctx: Context, where: SQL | undefined, page: number, order: SQL): Promise<FeedbackPage> {
  const [rows, [total]] = await ctx.db.batch([
    ctx.db
      .select(columns)
      .from(feedback)
      .innerJoin(users, eq(users.id, feedback.userId))
      .where(where)
      .orderBy(order, desc(feedback.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db
      .select({ count: sql<number>`count(*)` })
      .from(feedback)
      .where(where),
  ]);
  return {
    total: total!.count,
    items: rows.map(({ hasChat, name, email, role, lastActiveAt, userCreatedAt, userUpdatedAt, ...row }) => ({
      ...plainFeedback(row),
      organization_id: row.organizationId,
      has_chat: hasChat === 1,
      user: {
        id: row.userId,
        name,
        email,
        role,
        last_active_at: lastActiveAt,
        created_at: userCreatedAt,
        updated_at: userUpdatedAt,
      },
    })),
  };
}

export function whereOf({ model_id: model, organization_id: organization, rating }: FeedbackFilter): SQL | undefined {
  return and(
    model === undefined ? undefined : eq(feedback.modelId, model),
    organization === undefined ? undefined : eq(feedback.organizationId, organization),
    rating === undefined ? undefined : eq(feedback.rating, Number(rating)),
  );
}

/** With the conversation, if its owner allows it. @throws AppError `not_found`, also for what others have said */
export async function getFeedback(ctx: Context, id: string): Promise<FeedbackView> {
  const user = requireUser(ctx);
  const own = user.role === "admin" ? undefined : eq(feedback.userId, user.id);
  const [row] = await ctx.db
    .select()
    .from(feedback)
    .where(and(eq(feedback.id, id), own));
  if (!row) throw new AppError("not_found", "No such rating");
  return feedbackViewOf(row);
}

/** Models that have ratings. @throws AppError `forbidden` */
export async function listRatedModels(ctx: Context): Promise<string[]> {
  requireAdmin(ctx);
  const rows = await ctx.db
    .selectDistinct({ id: feedback.modelId })
    .from(feedback)
    .where(sql`${feedback.modelId} IS NOT NULL`)
    .orderBy(feedback.modelId)
    .limit(10_000);
  return rows.map(({ id }) => id!);
}

/** The ids of all ratings, last changed first. @throws AppError `forbidden` */
export async function listFeedbackIds(ctx: Context): Promise<FeedbackId[]> {
  requireAdmin(ctx);
  return ctx.db
    .select({
      id: feedback.id,
      user_id: feedback.userId,
      created_at: feedback.createdAt,
      updated_at: feedback.updatedAt,
    })
    .from(feedback)
    .orderBy(desc(feedback.updatedAt), desc(feedback.id))
    .limit(100_000);
}
