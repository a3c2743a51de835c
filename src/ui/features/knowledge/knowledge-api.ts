import type {
  BaseFiles,
  DirectoryView,
  KnowledgePage,
  KnowledgeView,
  KnowledgeWithFiles,
  PendingFile,
} from "../../../documents/knowledge/schema.ts";
import type { GrantView } from "../../../people/grants/schema.ts";
import { api } from "../../lib/api.ts";

export type KnowledgeEntry = KnowledgeView;
export type { BaseFiles, DirectoryView, PendingFile };

const all = "/api/v1/knowledge";
const one = (id: string): string => `${all}/${encodeURIComponent(id)}`;
const dirs = (id: string, directory: string): string => `${one(id)}/dirs/${encodeURIComponent(directory)}`;

export const listKnowledge = (
  { query, page }: { query: string; page: number },
  signal?: AbortSignal,
): Promise<KnowledgePage> => api("GET", `${all}/search`, { query: { query, page }, signal });

export const getKnowledge = (id: string, signal?: AbortSignal): Promise<KnowledgeEntry> =>
  api("GET", one(id), { signal });

export const createKnowledge = (about: { name: string; description: string }): Promise<KnowledgeEntry> =>
  api("POST", `${all}/create`, { body: about });

export const changeKnowledge = (id: string, change: { name?: string; description?: string }): Promise<KnowledgeEntry> =>
  api("POST", `${one(id)}/update`, { body: change });

export const shareKnowledge = (id: string, grants: GrantView[]): Promise<KnowledgeEntry> =>
  api("POST", `${one(id)}/access/update`, { body: { access_grants: grants } });

export const deleteKnowledge = (id: string): Promise<unknown> => api("DELETE", `${one(id)}/delete`);

/** One page of a directory's files; where something is looked for, of those of the whole base. */
export const listFiles = (
  id: string,
  { query, directory, page }: { query: string; directory: string; page: number },
  signal?: AbortSignal,
): Promise<BaseFiles> => {
  const search = new URLSearchParams({ page: String(page), ...(query ? { query } : { directory_id: directory }) });
  return api("GET", `${one(id)}/files?${search.toString()}`, { signal });
};

/** Files that are to go into the base and have no text yet. */
export const listPending = (id: string, signal?: AbortSignal): Promise<PendingFile[]> =>
  api("GET", `${one(id)}/files/pending`, { signal });

export const removeFile = (id: string, fileId: string): Promise<KnowledgeWithFiles> =>
  api("POST", `${one(id)}/file/remove`, { body: { file_id: fileId } });

export const moveFile = (id: string, fileId: string, directory: string | null): Promise<unknown> =>
  api("POST", `${one(id)}/file/move`, { body: { file_id: fileId, directory_id: directory } });

export const renameFile = (fileId: string, filename: string): Promise<unknown> =>
  api("POST", `/api/v1/files/${encodeURIComponent(fileId)}/rename`, { body: { filename } });

/** Every directory of the base. */
export const listDirectories = async (id: string, signal?: AbortSignal): Promise<DirectoryView[]> =>
  (await api<BaseFiles>("GET", `${one(id)}/files`, { query: { limit: 1 }, signal })).directories;

export const createDirectory = (id: string, name: string, parent: string | null): Promise<DirectoryView> =>
  api("POST", `${one(id)}/dirs/create`, { body: { name, parent_id: parent } });

export const renameDirectory = (id: string, directory: string, name: string): Promise<DirectoryView> =>
  api("POST", `${dirs(id, directory)}/update`, { body: { name } });

export const deleteDirectory = (id: string, directory: string): Promise<unknown> =>
  api("DELETE", `${dirs(id, directory)}/delete`);

export const getPassage = (
  fileId: string,
  chunk: string,
  signal?: AbortSignal,
): Promise<{ text: string; page: number | null; start: number; end: number }> =>
  api("GET", `/api/v1/files/${encodeURIComponent(fileId)}/passages/${encodeURIComponent(chunk)}`, { signal });
