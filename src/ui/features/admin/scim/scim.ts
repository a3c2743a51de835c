import { api } from "../../../lib/api.ts";

/** Whether and how an identity provider reaches this service. */
export interface Status {
  enabled: boolean;
  base_url: string;
  provider: string | null;
  tokens: { variable: string; hint: string }[];
  ip_allowlist: string[];
  warnings: string[];
  users: number;
  groups: number;
  last_request_at: number | null;
}

export function loadStatus(signal?: AbortSignal): Promise<Status> {
  return api("GET", "/api/v1/auths/admin/scim", { signal });
}
