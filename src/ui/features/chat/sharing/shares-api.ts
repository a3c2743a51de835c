import type { ShareView, SharedChat, SharedSummary } from "../../../../chat/sharing/schema.ts";
import type { ExportFormat } from "../../../../chat/transfer/schema.ts";
import type { GrantView } from "../../../../people/grants/schema.ts";
import { toApiError } from "../../../lib/api-error.ts";
import { api, apiResponse } from "../../../lib/api.ts";
import { publicAddress } from "../../../lib/base-path.ts";

export type { ExportFormat, SharedChat, SharedSummary, ShareView };

const chats = "/api/v1/chats";
const shareOf = (chatId: string): string => `${chats}/${encodeURIComponent(chatId)}/share`;

/** The link of a chat; undefined while there is none. */
export async function getShare(chatId: string, signal?: AbortSignal): Promise<ShareView | undefined> {
  try {
    return await api<ShareView>("GET", shareOf(chatId), { signal });
  } catch (cause) {
    if (toApiError(cause).status === 404) return undefined;
    throw cause;
  }
}

/** Makes the link, or renews what it shows. Without grants those may read it who may already. */
export const shareChat = (chatId: string, grants?: readonly GrantView[]): Promise<unknown> =>
  api("POST", shareOf(chatId), { body: grants ? { access_grants: grants } : {} });

export const changeReaders = (chatId: string, grants: readonly GrantView[]): Promise<unknown> =>
  api("POST", `${chats}/shared/${encodeURIComponent(chatId)}/access/update`, { body: { access_grants: grants } });

export const withdrawShare = (chatId: string): Promise<unknown> => api("DELETE", shareOf(chatId));

export const listShares = (page: number, signal?: AbortSignal): Promise<SharedSummary[]> =>
  api("GET", `${chats}/shared`, { query: { page }, signal });

export const getSharedChat = (shareId: string, signal?: AbortSignal): Promise<SharedChat> =>
  api("GET", `${chats}/share/${encodeURIComponent(shareId)}`, { signal });

/** Makes a chat of one's own out of a shared one. */
export const copySharedChat = (shareId: string): Promise<{ id: string }> =>
  api("POST", `${chats}/${encodeURIComponent(shareId)}/clone/shared`);

/** A chat as a file, with the name that the service gives it. */
export async function takeChat(id: string, format: ExportFormat): Promise<{ bytes: Blob; name: string }> {
  const response = await apiResponse("GET", `${chats}/${encodeURIComponent(id)}/export`, {
    query: { format },
    timeout: 120_000,
  });
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return { bytes: await response.blob(), name: name ? decodeURIComponent(name) : "chat" };
}

/** Address of a link that can be sent to others. */
export const linkOf = (shareId: string): string => `${publicAddress()}/s/${shareId}`;
