import type { FolderSummary, FolderView, SharedFolder } from "../../../../chat/folders/schema.ts";
import type { GrantView } from "../../../../people/grants/schema.ts";
import { api, apiResponse } from "../../../lib/api.ts";
import { session } from "../../../lib/session.svelte.ts";
import type { ChatsPage, ChatSummary, FoundChat } from "../chats-api.ts";

export type { FolderView };

/** A folder of the list. */
export interface Folder extends FolderSummary {
  /** Name of the person who shares it; undefined for one's own. */
  owner?: string;
  mayWrite: boolean;
}

export interface FolderDraft {
  name?: string;
  data?: { system_prompt?: string; model_ids?: string[]; files?: { type: string; id: string }[] };
}

const folders = "/api/v1/folders";

/** The person's folders, and those that others share with them. */
export async function listFolders(signal: AbortSignal): Promise<Folder[]> {
  const all = await api<SharedFolder[]>("GET", `${folders}/`, { query: { include_shared: true }, signal });
  return all.map((folder) => ({
    ...folder,
    ...(folder.user_id === session.person?.id ? {} : { owner: folder.owner_name }),
    mayWrite: folder.permission === "write",
  }));
}

export const foldersApi = {
  get: (id: string, signal?: AbortSignal) => api<FolderView>("GET", `${folders}/${id}`, { signal }),
  create: (name: string, parentId: string | null) =>
    api<FolderView>("POST", `${folders}/`, { body: { name, parent_id: parentId } }),
  change: (id: string, draft: FolderDraft) => api<FolderView>("POST", `${folders}/${id}/update`, { body: draft }),
  move: (id: string, parentId: string | null) =>
    api<FolderView>("POST", `${folders}/${id}/update/parent`, { body: { parent_id: parentId } }),
  expand: (id: string, isExpanded: boolean) =>
    api<FolderView>("POST", `${folders}/${id}/update/expanded`, { body: { is_expanded: isExpanded }, keepalive: true }),
  share: (id: string, grants: GrantView[]) =>
    api<FolderView>("POST", `${folders}/${id}/access/update`, { body: { access_grants: grants } }),
  remove: (id: string, withChats: boolean) =>
    api<boolean>("DELETE", `${folders}/${id}`, { query: { delete_contents: withChats }, timeout: 60_000 }),
  async chats(id: string, cursor: string | undefined, signal?: AbortSignal): Promise<ChatsPage> {
    const place = cursor === undefined ? { page: 1 } : { cursor };
    const query = { ...place, include_pinned: true };
    const response = await apiResponse("GET", `/api/v1/chats/folder/${id}/list`, { query, signal });
    return {
      chats: (await response.json()) as ChatSummary[],
      next: response.headers.get("x-next-cursor") ?? undefined,
    };
  },
  moveChat: (chatId: string, folderId: string | null) =>
    api<unknown>("POST", `/api/v1/chats/${chatId}/folder`, { body: { folder_id: folderId } }),
  search: (id: string, text: string, signal: AbortSignal) =>
    api<FoundChat[]>("GET", "/api/v1/chats/search", { query: { text, folder_id: id }, signal }),
};
