import type { GrantView } from "../../../people/grants/schema.ts";
import type { PromptPage, PromptVersion, PromptView } from "../../../prompts/schema.ts";
import { api, apiResponse } from "../../lib/api.ts";

export type PromptEntry = PromptView;
export type { PromptVersion };

const all = "/api/v1/prompts";
const one = (id: string): string => `${all}/id/${encodeURIComponent(id)}`;

/** What the form of a prompt says. */
export interface PromptDraft {
  command: string;
  name: string;
  content: string;
  tags: string[];
}

export const listPrompts = (
  { query, page }: { query: string; page: number },
  signal?: AbortSignal,
): Promise<PromptPage> => api("GET", `${all}/list`, { query: { query, page }, signal });

/** Prompts that are offered to the person in chats, what begins like the query first. */
export const offeredPrompts = async (query: string, signal?: AbortSignal): Promise<PromptEntry[]> =>
  (await api<PromptPage>("GET", `${all}/list`, { query: { query, offered: true }, signal })).items;

/** Prompts as a file. @param id only this one */
export const exportPrompts = async (id?: string): Promise<Blob> =>
  (await apiResponse("GET", `${all}/export`, { query: { id }, timeout: 60_000 })).blob();

/** All of them, or none. */
export const importPrompts = (prompts: Record<string, unknown>[]): Promise<{ created: number; changed: number }> =>
  api("POST", `${all}/import`, { body: prompts, timeout: 60_000 });

export const getPrompt = (id: string, signal?: AbortSignal): Promise<PromptEntry> => api("GET", one(id), { signal });

export const createPrompt = (draft: PromptDraft): Promise<PromptEntry> => api("POST", `${all}/create`, { body: draft });

export const changePrompt = (
  id: string,
  change: Partial<PromptDraft> & { is_active?: boolean; commit_message?: string },
): Promise<PromptEntry> => api("POST", `${one(id)}/update`, { body: change });

export const sharePrompt = (id: string, grants: GrantView[]): Promise<PromptEntry> =>
  api("POST", `${one(id)}/access/update`, { body: { access_grants: grants } });

export const deletePrompt = (id: string): Promise<unknown> => api("DELETE", `${one(id)}/delete`);

export const listVersions = (id: string, signal?: AbortSignal): Promise<PromptVersion[]> =>
  api("GET", `${one(id)}/history`, { signal });

export const useVersion = (id: string, version: string): Promise<PromptEntry> =>
  api("POST", `${one(id)}/update/version`, { body: { version_id: version } });
