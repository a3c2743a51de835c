import type { GrantView } from "../../../../people/grants/schema.ts";
import type {
  NewToolServer,
  ToolServerChange,
  ToolServerTrial,
  ToolServerTrialResult,
  ToolServerView,
} from "../../../../plugins/tool-servers/schema.ts";
import { api } from "../../../lib/api.ts";
import { at } from "../../../lib/base-path.ts";

const base = "/api/v1/tool-servers";
const one = (id: string): string => `${base}/${encodeURIComponent(id)}`;

export const listToolServers = (signal?: AbortSignal): Promise<ToolServerView[]> => api("GET", base, { signal });

export const getToolServer = (id: string, signal?: AbortSignal): Promise<ToolServerView> =>
  api("GET", one(id), { signal });

export const createToolServer = (server: Partial<NewToolServer> & { url: string }): Promise<ToolServerView> =>
  api("POST", base, { body: server });

export const changeToolServer = (id: string, change: ToolServerChange): Promise<ToolServerView> =>
  api("PATCH", one(id), { body: change });

export const deleteToolServer = (id: string): Promise<unknown> => api("DELETE", one(id));

export const shareToolServer = (id: string, grants: GrantView[]): Promise<ToolServerView> =>
  api("POST", `${one(id)}/access`, { body: { access_grants: grants } });

/** Asks the server for its functions now, with what is entered but not saved yet. */
export const tryToolServer = (trial: ToolServerTrial, signal?: AbortSignal): Promise<ToolServerTrialResult> =>
  api("POST", `${base}/verify`, { body: trial, signal, timeout: 30_000 });

/**
 * Leaves the app for the server's own sign-in.
 * @param next page of ours that the person comes back to
 */
export async function connectToolServer(id: string, next: string): Promise<void> {
  const { url } = await api<{ url: string }>("POST", `${one(id)}/connect`, { body: { next }, timeout: 60_000 });
  location.assign(at(url));
}

export const disconnectToolServer = (id: string): Promise<unknown> => api("DELETE", `${one(id)}/connect`);
