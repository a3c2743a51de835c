import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { newId } from "../../lib/id.ts";
import { announceList } from "./announce-chats.ts";
import { getChats, insertChats, newChat, type ChatOverrides, type StorableChat } from "./chats.ts";
import { planTree, type TreePlan } from "./plan-tree.ts";
import { readHistory } from "./read-history.ts";
import { readTime } from "./read-stored-message.ts";
import type { ChatResponse, ImportedChat } from "./schema.ts";

/** What is stored in one transaction: so many chats, with so many characters of messages. One chat may be larger. */
const batchLimits = { chats: 200, characters: 2_000_000 };

/**
 * Imports exported chats as chats of the caller, with new ids. Open WebUI's exports can contain broken trees: a message
 * whose parent is missing, or that closes a loop, becomes the root of its own branch; nothing is dropped.
 * @throws AppError `forbidden`
 */
export async function importChats(ctx: Context, imported: readonly ImportedChat[]): Promise<ChatResponse[]> {
  const user = requirePermission(ctx, "chat.import");
  const batches = inBatches(imported.map((chat) => planImport(ctx, chat).storable));
  for (const batch of batches) await runBatch(ctx.db, insertChats(ctx, batch));
  announceList(ctx, user.id);
  const stored: ChatResponse[] = [];
  for (const batch of batches) {
    const ids = batch.map(({ row }) => row.id);
    stored.push(...(await getChats(ctx, ids)));
  }
  return stored;
}

/** The chats in their order, as many in each batch as fit into one transaction. */
export function inBatches(chats: readonly StorableChat[]): StorableChat[][] {
  const batches: StorableChat[][] = [];
  let characters = Infinity;
  for (const chat of chats) {
    characters += chat.messages.length;
    const last = batches.at(-1);
    if (last && last.length < batchLimits.chats && characters <= batchLimits.characters) {
      last.push(chat);
    } else {
      batches.push([chat]);
      characters = chat.messages.length;
    }
  }
  return batches;
}

/** An exported chat as it will be stored, with the tree of its messages. */
export function planImport(ctx: Context, chat: ImportedChat): { plan: TreePlan; storable: StorableChat } {
  const plan = planTree([], readHistory(chat.chat));
  const input = { chat: chat.chat, variables: chat.variables, folderId: chat.folder_id };
  return { plan, storable: newChat(ctx, newId(), input, plan, overridesOf(chat)) };
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
