import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { chatsLeft } from "../../people/totals/chat-room.ts";
import { FolderFinder } from "../folders/folder-paths.ts";
import { announceList } from "./announce-chats.ts";
import { getChats, newChat, type ChatOverrides } from "./chats.ts";
import { planTree, type TreePlan } from "./plan-tree.ts";
import { readHistory } from "./read-history.ts";
import { readTime } from "./read-stored-message.ts";
import type { ChatResponse, ImportedChat } from "./schema.ts";
import { inBatches, storeChats, type StorableChat } from "./store-chats.ts";

/**
 * Imports exported chats as chats of the caller, with new ids. Open WebUI's exports can contain broken trees: a message
 * whose parent is missing, or that closes a loop, becomes the root of its own branch; nothing is dropped.
 * @throws AppError `forbidden`; `limit_reached` where the caller may not have so many more; `validation_failed` for a chat with more messages than one may have, with nothing stored
 */
export async function importChats(ctx: Context, imported: readonly ImportedChat[]): Promise<ChatResponse[]> {
  const user = requirePermission(ctx, "chat.import");
  const left = await chatsLeft(ctx, user.id);
  if (left !== undefined && imported.length > left) throw tooManyToImport(ctx, imported.length);
  const finder = new FolderFinder(ctx);
  const planned: StorableChat[] = [];
  for (const chat of imported) planned.push(planImport(ctx, chat, await finder.find(chat)).storable);
  const batches = inBatches(planned);
  let count = 0;
  for (const batch of batches) count += await storeChats(ctx, batch);
  announceList(ctx, user.id);
  // Others came in between.
  if (count < imported.length) throw tooManyToImport(ctx, imported.length, count);
  const stored: ChatResponse[] = [];
  for (const batch of batches) {
    const ids = batch.map(({ row }) => row.id);
    stored.push(...(await getChats(ctx, ids)));
  }
  return stored;
}

/** @param stored how many were stored before there was no more room */
function tooManyToImport(ctx: Context, given: number, stored = 0): AppError {
  const outcome = stored === 0 ? "Nothing was imported" : `The first ${stored} were imported`;
  return new AppError(
    "limit_reached",
    `You may have ${ctx.settings.MAX_CHATS} chats, and these ${given} would be more. ${outcome}. Delete chats that you no longer need, or ask an administrator for more`,
  );
}

/** An exported chat as it will be stored, with the tree of its messages. */
export function planImport(
  ctx: Context,
  chat: ImportedChat,
  folderId: string | null,
): { plan: TreePlan; storable: StorableChat } {
  const plan = planTree([], readHistory(chat.chat));
  const input = { chat: chat.chat, variables: chat.variables, folderId };
  return { plan, storable: newChat(ctx, newId(), input, plan, overridesOf(chat)) };
}

/** What an exported chat says of its row. */
export function overridesOf(chat: ImportedChat): ChatOverrides {
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
