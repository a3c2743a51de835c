import { eq, sql } from "drizzle-orm";
import { requireAdmin, requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { chats, messages } from "../stored-chats/tables.ts";

/** Ids of the caller's runs in the chat; empty for another person's chat. */
export async function listChatTasks(ctx: Context, chatId: string): Promise<string[]> {
  const runs = await ctx.live.listRuns(requireUser(ctx).id, chatId);
  return runs.map((run) => run.runId);
}

/** Written out, because the index of these few rows does not know parameters. */
const isStreaming = sql`${messages.state} = 'streaming'`;

/** Ids of all runs of all people, for administrators. */
export async function listTasks(ctx: Context): Promise<string[]> {
  requireAdmin(ctx);
  const rows = await ctx.db.select({ runId: messages.runId }).from(messages).where(isStreaming);
  return rows.map((row) => row.runId).filter((id) => id !== null);
}

/**
 * Stops one of the caller's runs; what has arrived is kept.
 * @throws AppError `not_found`.
 */
export async function stopTask(ctx: Context, runId: string): Promise<void> {
  const stopped = await ctx.live.stopRun(requireUser(ctx).id, runId);
  if (!stopped) throw new AppError("not_found", "No such running task");
}

/**
 * Stops all runs in one of the caller's chats.
 * @returns how many.
 * @throws AppError `not_found` for another person's chat.
 */
export async function stopChatTasks(ctx: Context, chatId: string): Promise<number> {
  const user = requireUser(ctx);
  const runs = await ctx.live.listRuns(user.id, chatId);
  const stopped = await Promise.all(runs.map((run) => ctx.live.stopRun(user.id, run.runId)));
  if (runs.length > 0) return stopped.filter(Boolean).length;
  const [chat] = await ctx.db.select({ userId: chats.userId }).from(chats).where(eq(chats.id, chatId));
  if (chat?.userId !== user.id) throw new AppError("not_found", "No such chat");
  return 0;
}
