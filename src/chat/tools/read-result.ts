import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { resultKey } from "./tool-steps.ts";

/** A result of a tool as a file. */
export interface ResultFile {
  name: string;
  body: ReadableStream<Uint8Array> | string;
}

/**
 * The full result of a call in one of the caller's chats.
 * @throws AppError `not_found`, also for a chat that is not the caller's, and for a call without a result
 */
export async function readResult(ctx: Context, chatId: string, messageId: string, callId: string): Promise<ResultFile> {
  const user = requireUser(ctx);
  const missing = () => new AppError("not_found", "No such tool result in your chats");
  const [row] = await ctx.db.all<{ name: string; file: string | null; result: string | null }>(sql`
    SELECT i.data ->> '$.name' AS name, i.data ->> '$.file.id' AS file, i.data ->> '$.result' AS result
    FROM message_items i JOIN messages m ON m.chat_id = i.chat_id AND m.id = i.message_id
    WHERE i.chat_id = ${chatId} AND i.message_id = ${messageId} AND i.kind = 'tool' AND i.name = ${callId} AND m.user_id = ${user.id}`);
  if (!row) throw missing();
  const name = `${row.name}.txt`;
  if (row.file === null) {
    if (row.result === null) throw missing();
    return { name, body: row.result };
  }
  const found = await ctx.blobs.get(resultKey(chatId, row.file));
  if (!found) throw missing();
  return { name, body: found.body };
}
