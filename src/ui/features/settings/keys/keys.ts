import type { ApiKeyList, NewApiKey } from "../../../../people/auth/api-keys/schema.ts";
import { api } from "../../../lib/api.ts";

/** One key of the person's own; the secret is never told again. */
export type KeyRow = ApiKeyList["api_keys"][number];
/** A key at the one moment when its secret is there. */
export type MadeKey = NewApiKey;

/** The person's own keys, newest first. */
export async function listKeys(signal?: AbortSignal): Promise<KeyRow[]> {
  const { api_keys } = await api<ApiKeyList>("GET", "/api/v1/auths/api_keys", { signal });
  return api_keys.toSorted((a, b) => b.created_at - a.created_at || b.id.localeCompare(a.id));
}

export function makeKey(name: string): Promise<MadeKey> {
  return api("POST", "/api/v1/auths/api_key", { body: { name } });
}

export function deleteKey(id: string): Promise<unknown> {
  return api("DELETE", `/api/v1/auths/api_keys/${encodeURIComponent(id)}`);
}

/** Whether it is refused by now. */
export function hasEnded({ expires_at: end }: Pick<KeyRow, "expires_at">): boolean {
  return end !== null && end * 1000 <= Date.now();
}

/** A call that shows whether a key works, for a shell. @param key the secret, or what stands for it */
export function exampleCall(origin: string, key: string): string {
  return `curl ${origin}/api/models -H "Authorization: Bearer ${key}"`;
}
