import type * as z from "zod";
import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { copyChat, getChat } from "./chats.ts";
import type { ChatResponse, forkBody, WireMessage } from "./schema.ts";

/**
 * A new chat of the caller with the branch of one of their chats, up to a message.
 * @param from `message_id`: the last message of the branch; without it the current one. `title`: of the new chat; without it
 *   the old one's with a mark
 * @throws AppError `forbidden`; `not_found` for a chat or a message that is unknown or not the caller's; `validation_failed` for a chat
 *   without messages; as `createChat`
 */
export async function forkChat(ctx: Context, id: string, from?: z.infer<typeof forkBody>): Promise<ChatResponse> {
  requirePermission(ctx, "chat.fork");
  const original = await getChat(ctx, id);
  const end = from?.message_id ?? original.current_message_id;
  if (end === null)
    throw new AppError("validation_failed", "message_id: the chat has no messages", { param: "message_id" });
  const branch = branchTo(original.chat.history.messages, end);
  if (branch.length === 0) throw new AppError("not_found", "No such message in your chats", { param: "message_id" });
  const messages = Object.fromEntries(
    branch.map((message, at) => [
      message.id,
      { ...message, childrenIds: branch.slice(at + 1, at + 2).map((next) => next.id) },
    ]),
  );
  return copyChat(ctx, original, {
    title: from?.title?.trim() ? from.title : `${original.title} (fork)`,
    history: { currentId: end, messages },
    branchPointMessageId: end,
  });
}

/** From the root down to the message; empty for an unknown one. Stored trees have no loops. */
function branchTo(messages: Readonly<Record<string, WireMessage>>, end: string): WireMessage[] {
  const branch: WireMessage[] = [];
  let at: string | null = end;
  while (at !== null && Object.hasOwn(messages, at)) {
    const message: WireMessage = messages[at]!;
    branch.push(message);
    at = message.parentId;
  }
  return branch.reverse();
}
