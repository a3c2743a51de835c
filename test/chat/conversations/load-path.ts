import { sql } from "drizzle-orm";
import { requireUser } from "../../../src/access.ts";
import {
  selectPath,
  toModelMessages,
  type ModelMessage,
  type PathRow,
} from "../../../src/chat/conversations/load-path.ts";
import type { Context } from "../../../src/context.ts";

/** What a model is told of the branch that ends with a message; nothing for a message that is not in a chat of the caller. */
export async function loadPath(ctx: Context, chatId: string, messageId: string): Promise<ModelMessage[]> {
  return toModelMessages(await ctx.db.all<PathRow>(selectPath(chatId, requireUser(ctx).id, sql`${messageId}`)));
}
