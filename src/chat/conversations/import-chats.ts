import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { newId } from "../../lib/id.ts";
import { announceList } from "./announce.ts";
import { getChats, insertChat, type ChatOverrides } from "./chats.ts";
import { planTree } from "./plan-tree.ts";
import { readHistory } from "./read-history.ts";
import { readTime } from "./read-message.ts";
import type { ChatResponse, ImportedChat } from "./schema.ts";

/** Chats in one transaction. */
const chatsAtOnce = 20;

/**
 * Stores exported chats as chats of the caller, under new ids. Exports of the peer hold broken trees: a message whose
 * parent is missing, or that closes a circle, becomes the beginning of a branch of its own; nothing is thrown away.
 * @throws AppError `forbidden`
 */
export async function importChats(ctx: Context, imported: readonly ImportedChat[]): Promise<ChatResponse[]> {
  const user = requirePermission(ctx, "chat.import");
  const ids: string[] = [];
  for (let at = 0; at < imported.length; at += chatsAtOnce) {
    const statements = imported.slice(at, at + chatsAtOnce).map((chat) => {
      const id = newId();
      ids.push(id);
      return importStatements(ctx, id, chat).statements;
    });
    await runBatch(ctx.db, statements.flat());
  }
  announceList(ctx, user.id);
  const stored: ChatResponse[] = [];
  for (let at = 0; at < ids.length; at += chatsAtOnce)
    stored.push(...(await getChats(ctx, ids.slice(at, at + chatsAtOnce))));
  return stored;
}

/** The statements that store one chat of an export, and how its messages hang together. */
export function importStatements(ctx: Context, id: string, chat: ImportedChat) {
  const plan = planTree([], readHistory(chat.chat));
  const input = { chat: chat.chat, variables: chat.variables, folderId: chat.folder_id };
  return { plan, statements: insertChat(ctx, id, input, plan, overridesOf(chat)) };
}

function overridesOf(chat: ImportedChat): ChatOverrides {
  const createdAt = readTime(chat.created_at);
  const updatedAt = readTime(chat.updated_at) ?? createdAt;
  return {
    ...(chat.title ? { title: chat.title } : {}),
    meta: chat.meta ?? {},
    pinned: chat.pinned ?? false,
    archived: chat.archived ?? false,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
  };
}
