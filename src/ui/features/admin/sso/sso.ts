import type { SsoStatus } from "../../../../people/auth/oidc/schema.ts";
import { api } from "../../../lib/api.ts";

/** The identity providers and how they do. */
export type Status = SsoStatus;
export type Provider = Status["providers"][number];

/** Asks each provider, which may take a while. */
export function loadStatus(signal?: AbortSignal): Promise<Status> {
  return api("GET", "/api/v1/auths/admin/sso", { signal, timeout: 60_000 });
}
