import type { KeyRotation, MadeServiceKey, NewServiceKey } from "../../../../people/service-accounts/schema.ts";
import type { ListedUser } from "../../../../people/users/schema.ts";
import { api } from "../../../lib/api.ts";
import { type KeyPage, listAllKeys, type OwnedKey } from "../keys/keys.ts";

/** A key at the one moment when its secret is there. */
export type MadeKey = MadeServiceKey;

export interface ServiceAccountFields {
  name: string;
  bio: string;
  role: "user" | "admin";
  organization_id?: string;
  free_probes: number;
}

export function addServiceAccount(fields: ServiceAccountFields): Promise<ListedUser> {
  return api("POST", "/api/v1/users/service_accounts", { body: fields });
}

/** The keys of an account, the newest first; an account has 50 at most. */
export async function listServiceKeys(id: string, signal?: AbortSignal): Promise<OwnedKey[]> {
  const keys: OwnedKey[] = [];
  let page: KeyPage | undefined;
  do {
    page = await listAllKeys({ query: "", user: id }, page?.next_cursor ?? undefined, signal);
    keys.push(...page.api_keys);
  } while (page.next_cursor !== null);
  return keys;
}

const keysOf = (id: string): string => `/api/v1/users/${encodeURIComponent(id)}/api_keys`;

export function makeServiceKey(id: string, fields: NewServiceKey): Promise<MadeKey> {
  return api("POST", keysOf(id), { body: fields });
}

export function rotateServiceKey(id: string, key: string, rotation: KeyRotation): Promise<MadeKey> {
  return api("POST", `${keysOf(id)}/${encodeURIComponent(key)}/rotate`, { body: rotation });
}

/** What a monitor's key needs for the three levels of health; level 1 needs no key. */
export const monitorEndpoints = "GET /api/models, POST /api/chat/completions";
