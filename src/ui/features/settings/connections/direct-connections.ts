import type { TrialResult } from "../../../../models/connections/schema.ts";
import type {
  DirectConnectionChange,
  DirectConnectionList,
  DirectConnectionView,
  DirectTrial,
  NewDirectConnection,
} from "../../../../models/direct-connections/schema.ts";
import { api } from "../../../lib/api.ts";
import { session } from "../../../lib/session.svelte.ts";

const base = "/api/v1/users/user/connections";
const one = (id: string): string => `${base}/${encodeURIComponent(id)}`;

/** Whether the page is offered: the service and the person's permissions allow direct connections. */
export const mayConnect = (): boolean =>
  session.config.features["enable_direct_connections"] === true && session.may("features", "direct_connections");

export const listDirectConnections = (signal?: AbortSignal): Promise<DirectConnectionList> =>
  api("GET", base, { signal });

export const getDirectConnection = (id: string, signal?: AbortSignal): Promise<DirectConnectionView> =>
  api("GET", one(id), { signal });

export const createDirectConnection = (connection: Partial<NewDirectConnection>): Promise<DirectConnectionView> =>
  api("POST", base, { body: connection });

export const changeDirectConnection = (id: string, change: DirectConnectionChange): Promise<DirectConnectionView> =>
  api("PATCH", one(id), { body: change });

export const deleteDirectConnection = (id: string): Promise<unknown> => api("DELETE", one(id));

/** Asks the provider for its models now, with what is entered but not saved yet. */
export const tryDirectConnection = (trial: DirectTrial): Promise<TrialResult> =>
  api("POST", `${base}/verify`, { body: trial, timeout: 30_000 });
