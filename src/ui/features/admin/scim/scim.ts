import type { ScimStatus } from "../../../../scim/schema.ts";
import { api } from "../../../lib/api.ts";

/** Whether and how an identity provider reaches this service. */
export type Status = ScimStatus;

export function loadStatus(signal?: AbortSignal): Promise<Status> {
  return api("GET", "/api/v1/auths/admin/scim", { signal });
}
