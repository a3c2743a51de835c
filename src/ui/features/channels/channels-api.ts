import type { HistoryPage, SearchPage } from "../../../channels/messages/schema.ts";
import type { ChannelMessage, ChannelView } from "../../../channels/schema.ts";
import { api } from "../../lib/api.ts";

const channels = "/api/v1/channels";
const one = (id: string): string => `${channels}/${encodeURIComponent(id)}`;
const message = (id: string, messageId: string): string => `${one(id)}/messages/${encodeURIComponent(messageId)}`;

/** What is sent as a message. */
export interface NewMessage {
  /** Made here: sent again with the same one it is the same message. */
  temp_id: string;
  content: string;
  parent_id?: string;
  reply_to_id?: string;
  files?: { id: string }[];
}

/** Which part of a channel or thread is loaded; none of the three: the latest. */
export interface HistoryPart {
  before?: number;
  after?: number;
  around?: number;
  parent_id?: string;
  limit?: number;
}

/** A message found by its words. */
export type FoundMessage = SearchPage["messages"][number];

interface Search {
  q: string;
  channel_id?: string;
  cursor?: string;
  limit?: number;
}

export const channelsApi = {
  /** Those that the person is in. */
  list: (signal?: AbortSignal) => api<ChannelView[]>("GET", `${channels}/`, { signal }),
  get: (id: string, signal?: AbortSignal) => api<ChannelView>("GET", one(id), { signal }),
  join: (id: string) => api<ChannelView>("POST", `${one(id)}/join`),
  /** Says up to which message the person has seen the channel, or the thread of a message in it. */
  read: (id: string, seq: number, parentId?: string) =>
    api<unknown>("POST", `${one(id)}/read`, {
      body: parentId === undefined ? { seq } : { seq, parent_id: parentId },
      keepalive: true,
    }),
  history: (id: string, part: HistoryPart, signal?: AbortSignal) =>
    api<HistoryPage>("GET", `${one(id)}/history`, { query: { ...part }, signal }),
  pinned: (id: string, page: number, signal?: AbortSignal) =>
    api<ChannelMessage[]>("GET", `${one(id)}/messages/pinned`, { query: { page }, signal }),
  /** Unread messages that name the person, oldest first. */
  mentions: (id: string, signal?: AbortSignal) =>
    api<ChannelMessage[]>("GET", `${one(id)}/messages/mentions`, { signal }),
  /** Looks in every channel that the person reads, or in one of them. */
  search: (query: Search, signal?: AbortSignal) =>
    api<SearchPage>("GET", `${channels}/search`, { query: { ...query }, signal }),
  post: (id: string, body: NewMessage) =>
    api<ChannelMessage>("POST", `${one(id)}/messages/post`, { body, timeout: 30_000 }),
  edit: (id: string, messageId: string, content: string) =>
    api<ChannelMessage>("POST", `${message(id, messageId)}/update`, { body: { content } }),
  remove: (id: string, messageId: string) => api<unknown>("DELETE", `${message(id, messageId)}/delete`),
  pin: (id: string, messageId: string, isPinned: boolean) =>
    api<ChannelMessage>("POST", `${message(id, messageId)}/pin`, { body: { is_pinned: isPinned } }),
  react: (id: string, messageId: string, name: string, isAdded: boolean) =>
    api<unknown>("POST", `${message(id, messageId)}/reactions/${isAdded ? "add" : "remove"}`, { body: { name } }),
  /** Ends the answer of a model; what has arrived is kept. */
  stop: (id: string, messageId: string) => api<ChannelMessage>("POST", `${message(id, messageId)}/stop`),
  /** Asks the model for another answer, which replaces its message. */
  regenerate: (id: string, messageId: string) => api<ChannelMessage>("POST", `${message(id, messageId)}/regenerate`),
};
