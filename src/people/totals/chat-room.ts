import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";

/** SQL: whether the person may have one more chat. */
export function hasChatRoom({ settings }: Pick<Context, "settings">, userId: string): SQL {
  const { MAX_CHATS: max } = settings;
  return max === 0 ? sql`1` : sql`EXISTS (SELECT 1 FROM person_totals WHERE user_id = ${userId} AND chats < ${max})`;
}

/** How many more chats the person may have; undefined for no limit. */
export async function chatsLeft({ db, settings }: Context, userId: string): Promise<number | undefined> {
  const { MAX_CHATS: max } = settings;
  if (max === 0) return undefined;
  const [row] = await db.all<{ chats: number }>(sql`SELECT chats FROM person_totals WHERE user_id = ${userId}`);
  return Math.max(0, max - (row?.chats ?? 0));
}

/** The error where there is no room for one more. */
export function tooManyChats(ctx: Pick<Context, "settings">): AppError {
  return new AppError(
    "limit_reached",
    `${chatLimitText(ctx)}. Delete chats that you no longer need, or ask an administrator for more`,
  );
}

export function chatLimitText({ settings }: Pick<Context, "settings">): string {
  return `You may have ${settings.MAX_CHATS} chats, and you have as many`;
}
