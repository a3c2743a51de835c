import type { chats, messageItems, messages } from "../../stored-chats/tables.ts";
import { readItems } from "../events/item-keys.ts";
import type { ChatResponse, ChatSummary, WireMessage } from "./schema.ts";

export type ItemRow = Pick<typeof messageItems.$inferSelect, "messageId" | "number" | "kind" | "data">;
export type ChatRow = typeof chats.$inferSelect;
export type MessageRow = Omit<typeof messages.$inferSelect, "chatId" | "userId" | "step">;

/** Open WebUI's chat document, built from the rows; messages and items in the order of their numbers. */
export function buildChat(
  chat: ChatRow,
  rows: readonly MessageRow[],
  items: readonly ItemRow[],
  tags: readonly string[],
): ChatResponse {
  const itemsOf = Map.groupBy(items, (item) => item.messageId);
  const messages = new Map(rows.map((row) => [row.id, buildMessage(row, itemsOf.get(row.id) ?? [])]));
  for (const message of messages.values()) {
    if (message.parentId !== null) messages.get(message.parentId)?.childrenIds.push(message.id);
  }
  const currentId =
    chat.currentMessageId !== null && messages.has(chat.currentMessageId) ? chat.currentMessageId : null;
  return {
    id: chat.id,
    user_id: chat.userId,
    title: chat.title,
    chat: {
      files: [],
      ...chat.extra,
      title: chat.title,
      models: chat.models,
      params: chat.params,
      history: { currentId, messages: Object.fromEntries(messages) },
      messages: branch(messages, currentId),
      tags: [...tags],
    },
    updated_at: chat.updatedAt,
    created_at: chat.createdAt,
    share_id: chat.shareId,
    archived: chat.archived,
    pinned: chat.pinned,
    meta: { ...chat.meta, tags: tags.map(tagId) },
    variables: chat.variables,
    folder_id: chat.folderId,
    tasks: null,
    summary: null,
    current_message_id: currentId,
    last_read_at: chat.lastReadAt,
  };
}

type SummaryRow = Pick<
  ChatRow,
  "id" | "title" | "updatedAt" | "createdAt" | "lastReadAt" | "pinned" | "archived" | "folderId"
> & {
  /** A JSON list of names. */
  tags: string;
};

export function buildSummary(chat: SummaryRow): ChatSummary {
  return {
    id: chat.id,
    title: chat.title,
    updated_at: chat.updatedAt,
    created_at: chat.createdAt,
    last_read_at: chat.lastReadAt,
    pinned: chat.pinned,
    archived: chat.archived,
    folder_id: chat.folderId,
    tags: JSON.parse(chat.tags) as string[],
  };
}

/** The id of a tag, as in Open WebUI. */
export function tagId(name: string): string {
  return name.toLowerCase().replaceAll(" ", "_");
}

/** Open WebUI's message, without its children. */
export function buildMessage(row: MessageRow, items: readonly ItemRow[]): WireMessage {
  const { done, ...extra } = row.extra;
  const last = items.at(-1);
  return {
    ...extra,
    ...readItems(extra, items),
    ...(last ? { lastItem: last.number } : {}),
    id: row.id,
    parentId: row.parentId,
    childrenIds: [],
    role: row.role,
    content: (row.parts as WireMessage["content"]) ?? row.content,
    timestamp: row.createdAt,
    // A client's placeholder that waits for its answer is not done either.
    done: row.state !== "streaming" && done !== false,
    state: row.state,
    ...(row.reasoning === "" ? {} : { reasoning: row.reasoning }),
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.usage === null ? {} : { usage: row.usage }),
    // Open WebUI's clients read `content`.
    ...(row.error === null ? {} : { error: { ...row.error, content: row.error.message } }),
  };
}

/** From the root down to `id`. Writes never create loops of parents. */
function branch(messages: ReadonlyMap<string, WireMessage>, id: string | null): WireMessage[] {
  const path: WireMessage[] = [];
  for (let at = id; at !== null;) {
    const message = messages.get(at);
    if (!message) break;
    path.push(message);
    at = message.parentId;
  }
  return path.reverse();
}
