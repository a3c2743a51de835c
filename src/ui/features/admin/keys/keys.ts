import type { EndpointReport, ManagedApiKeyList } from "../../../../people/auth/api-keys/schema.ts";
import { api } from "../../../lib/api.ts";

export type KeyPage = ManagedApiKeyList;
/** A key of anybody, with its owner. */
export type OwnedKey = KeyPage["api_keys"][number];
export type Endpoints = EndpointReport;

/** One page of everybody's keys. @param cursor where the last page ended */
export function listAllKeys(
  search: { query: string; user: string },
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<KeyPage> {
  const { query, user } = search;
  return api("GET", "/api/v1/auths/admin/api_keys", { query: { query, user_id: user, cursor, limit: 50 }, signal });
}

export function revokeKey(id: string): Promise<unknown> {
  return api("DELETE", `/api/v1/auths/admin/api_keys/${encodeURIComponent(id)}`);
}

/** Revokes all keys of a person, or of everybody. Answers with how many. */
export async function revokeKeys(user?: string): Promise<number> {
  const { deleted } = await api<{ deleted: number }>("DELETE", "/api/v1/auths/admin/api_keys", {
    query: { user_id: user },
  });
  return deleted;
}

/** What the stored list of endpoints lets through, and every endpoint that there is. */
export function loadEndpoints(signal?: AbortSignal): Promise<Endpoints> {
  return api("GET", "/api/v1/auths/admin/api_keys/endpoints", { signal });
}
