import type { CompactedChat } from "../../../chat/compaction/schema.ts";
import { api, apiResponse } from "../../lib/api.ts";
import type { SentFile } from "./attachments/attachment.ts";
import { featuresOf } from "./features/features-of.ts";
import type { Message } from "./message-tree.ts";

/** A chat in a list. Times in epoch seconds. */
export interface ChatSummary {
  id: string;
  title: string;
  created_at: number;
  updated_at: number;
  pinned?: boolean | undefined;
  archived?: boolean;
  folder_id?: string | null;
  tags?: readonly string[];
}

/** A chat found by its text: what stands around the words, and in which message (null: in the title, or by its tag). */
export interface FoundChat extends ChatSummary {
  snippet: string;
  message_id: string | null;
}

/** A chat with its messages (peer facts 7.9). */
export interface StoredChat extends ChatSummary {
  chat: { title?: string; models?: string[]; params?: unknown; history: unknown; tags?: string[] };
}

/** A page of a list; `next` is where the one after it begins, undefined on the last page. */
export interface ChatsPage {
  chats: ChatSummary[];
  next: string | undefined;
}

async function loadPage(path: string, cursor: string | undefined, signal?: AbortSignal): Promise<ChatsPage> {
  const response = await apiResponse("GET", path, { query: cursor === undefined ? { page: 1 } : { cursor }, signal });
  return { chats: (await response.json()) as ChatSummary[], next: response.headers.get("x-next-cursor") ?? undefined };
}

const chats = "/api/v1/chats";

export const chatsApi = {
  /** Chats that are neither pinned nor archived. */
  list: (cursor: string | undefined, signal?: AbortSignal) => loadPage(`${chats}/`, cursor, signal),
  pinned: (signal?: AbortSignal) => api<ChatSummary[]>("GET", `${chats}/pinned`, { signal }),
  archived: (cursor: string | undefined) => loadPage(`${chats}/archived`, cursor),
  /** @param tag only chats with this tag; without a text all of them */
  search: (text: string, signal?: AbortSignal, tag?: string) =>
    api<FoundChat[]>("GET", `${chats}/search`, { query: { text, tag }, signal }),
  get: (id: string, signal?: AbortSignal) =>
    api<StoredChat>("GET", `${chats}/${id}`, { query: { flat: "false" }, signal }),
  /** Short questions with which the latest chats began. */
  recentPrompts: (signal?: AbortSignal) => api<{ content: string }[]>("GET", `${chats}/recent-prompts`, { signal }),
  rename: (id: string, title: string) => api<StoredChat>("POST", `${chats}/${id}`, { body: { chat: { title } } }),
  saveParams: (id: string, params: Record<string, unknown>) =>
    api<StoredChat>("POST", `${chats}/${id}`, { body: { chat: { params } }, keepalive: true }),
  /** Stores a chat that was only here until now. */
  create: (chat: Record<string, unknown>) =>
    api<StoredChat>("POST", `${chats}/new`, { body: { chat }, timeout: 60_000 }),
  /** Remembers which branch is shown, for the next tab or visit. */
  showBranch: (id: string, currentId: string) =>
    api<StoredChat>("POST", `${chats}/${id}`, {
      body: { chat: { history: { currentId } } },
      keepalive: true,
    }),
  pin: (id: string, pinned: boolean) => api<StoredChat>("POST", `${chats}/${id}/pin`, { body: { pinned } }),
  archive: (id: string, archived: boolean) => api<StoredChat>("POST", `${chats}/${id}/archive`, { body: { archived } }),
  clone: (id: string, title: string) =>
    api<StoredChat>("POST", `${chats}/${id}/clone`, { body: { title }, timeout: 60_000 }),
  /** A new chat with the branch up to the message. */
  fork: (id: string, messageId: string, title: string) =>
    api<StoredChat>("POST", `${chats}/${id}/fork`, { body: { message_id: messageId, title }, timeout: 60_000 }),
  editMessage: (id: string, messageId: string, content: string) =>
    api<unknown>("POST", `${chats}/${id}/messages/${messageId}`, { body: { content } }),
  /** What models get in the place of everything before the message; null: the messages themselves. */
  saveSummary: (id: string, messageId: string, contextSummary: string | null) =>
    api<unknown>("POST", `${chats}/${id}`, {
      body: { chat: { history: { messages: { [messageId]: { contextSummary } } } } },
    }),
  /** Has the messages before the last question summarized for models. */
  compact: (id: string, model: string | undefined) =>
    api<CompactedChat>("POST", `${chats}/${id}/compact`, { body: { model }, timeout: 300_000 }),
  remove: (id: string) => api<boolean>("DELETE", `${chats}/${id}`),
  /** Deletes a message with everything below it. */
  removeMessage: (id: string, messageId: string) => api<unknown>("DELETE", `${chats}/${id}/messages/${messageId}`),
};

/** An answer that a model is to write. */
export interface WantedAnswer {
  model: string;
  answerId: string;
}

/** A turn of a chat, to be run by the service; see `POST /api/chat/completions` with `session_id`. */
export interface Turn {
  chatId: string | undefined;
  /** The folder of the chat that the turn begins. */
  folderId?: string | undefined;
  model: string;
  /** Id of the answer, made here: repeating a start with it never makes a second answer. */
  answerId: string;
  parentId: string | null;
  /** Further models that answer the same question. */
  beside?: readonly WantedAnswer[];
  userMessage?: {
    id: string;
    parentId: string | null;
    content: string;
    files?: readonly SentFile[];
    models?: readonly string[];
    /** The model of this turn, where the chat's `models` stay. */
    turnModel?: string;
  };
  goOn?: boolean;
  /** Ids of the tools that the model may call; undefined: those that the model has of its own. */
  toolIds?: readonly string[];
  /** Ids of the switchable filters that are on. */
  filterIds?: readonly string[];
  /** What of the service is switched on for the answer, such as `web_search`. */
  features?: readonly string[];
  /** Parameters of the chat that the turn begins. */
  params?: Readonly<Record<string, unknown>>;
}

/** All answers of a turn, the one that is shown first. */
export function answersOf({ model, answerId, beside = [] }: Turn): WantedAnswer[] {
  return [{ model, answerId }, ...beside];
}

/** Starts a turn; its text arrives over the live socket. Resolves as soon as both messages are stored. */
export function startTurn(turn: Turn, sessionId: string): Promise<{ task_ids: string[]; chat_id: string }> {
  return api("POST", "/api/chat/completions", {
    timeout: 30_000,
    body: {
      model: turn.model,
      stream: true,
      session_id: sessionId,
      ...(turn.chatId === undefined ? {} : { chat_id: turn.chatId }),
      ...(turn.folderId === undefined ? {} : { folder_id: turn.folderId }),
      ...(turn.beside?.length
        ? { message_ids: answersOf(turn).map(({ model, answerId }) => ({ model_id: model, message_id: answerId })) }
        : { id: turn.answerId }),
      parent_id: turn.parentId,
      ...(turn.userMessage ? { user_message: turn.userMessage } : {}),
      ...(turn.userMessage?.files?.length ? { files: turn.userMessage.files } : {}),
      ...(turn.goOn ? { continue: true } : {}),
      ...(turn.toolIds ? { tool_ids: turn.toolIds } : {}),
      ...(turn.filterIds?.length ? { filter_ids: turn.filterIds } : {}),
      ...featuresOf(turn),
      ...(turn.params && Object.keys(turn.params).length > 0 ? { params: turn.params } : {}),
      ...(turn.chatId === undefined ? { background_tasks: { title_generation: true } } : {}),
    },
  });
}

/** What an action of a plugin is told: the answer that its button stands under, and what led to it. */
export interface ActionCall {
  actionId: string;
  chatId: string;
  message: Message;
  path: readonly Message[];
  sessionId: string;
}

/** Presses a plugin's button. Resolves when its work is done, which can take as long as a person needs to answer a question. */
export function runAction({ actionId, chatId, message, path, sessionId }: ActionCall): Promise<unknown> {
  return api("POST", `/api/chat/actions/${encodeURIComponent(actionId)}`, {
    timeout: 15 * 60_000,
    body: {
      model: message.model,
      messages: path.map(({ id, role, content, timestamp }) => ({ id, role, content, timestamp })),
      chat_id: chatId,
      id: message.id,
      session_id: sessionId,
    },
  });
}

/** Stops every answer of a chat; what has arrived is kept. */
export function stopChat(chatId: string): Promise<unknown> {
  return api("POST", `/api/tasks/chat/${chatId}/stop`);
}
