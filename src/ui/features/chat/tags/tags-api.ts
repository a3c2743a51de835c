import { api } from "../../../lib/api.ts";

/** A tag; in the list of all, with the number of its chats. */
export interface Tag {
  id: string;
  name: string;
  count?: number;
}

const chats = "/api/v1/chats";

export const tagsApi = {
  /** All tags of the person's chats. */
  all: (signal?: AbortSignal) => api<Tag[]>("GET", `${chats}/all/tags`, { signal }),
  /** The tags of a chat; changes return what it has afterwards. */
  of: (chatId: string, signal?: AbortSignal) => api<Tag[]>("GET", `${chats}/${chatId}/tags`, { signal }),
  add: (chatId: string, name: string) => api<Tag[]>("POST", `${chats}/${chatId}/tags`, { body: { name } }),
  remove: (chatId: string, name: string) => api<Tag[]>("DELETE", `${chats}/${chatId}/tags`, { body: { name } }),
};
