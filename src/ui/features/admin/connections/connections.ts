import type {
  ConnectionChange,
  ConnectionTrial,
  ConnectionView,
  LocalRuntime,
  NewConnection,
  TrialResult,
} from "../../../../models/connections/schema.ts";
import { api } from "../../../lib/api.ts";

const base = "/api/v1/connections";
const one = (id: string): string => `${base}/${encodeURIComponent(id)}`;

export async function listConnections(signal?: AbortSignal): Promise<ConnectionView[]> {
  const answer = await api<ConnectionView[] | { connections: ConnectionView[] }>("GET", base, { signal });
  return Array.isArray(answer) ? answer : answer.connections;
}

export const getConnection = (id: string, signal?: AbortSignal): Promise<ConnectionView> =>
  api("GET", one(id), { signal });

export const createConnection = (connection: NewConnection): Promise<ConnectionView> =>
  api("POST", base, { body: connection });

export const changeConnection = (id: string, change: ConnectionChange): Promise<ConnectionView> =>
  api("PATCH", one(id), { body: change });

export const deleteConnection = (id: string): Promise<unknown> => api("DELETE", one(id));

/** Asks the provider for its models now, with what is entered but not saved yet. */
export const tryConnection = (trial: ConnectionTrial, signal?: AbortSignal): Promise<TrialResult> =>
  api("POST", `${base}/verify`, { body: trial, signal, timeout: 30_000 });

/** Whether a runtime answers on this very machine. */
export const findLocalRuntime = (signal?: AbortSignal): Promise<LocalRuntime> =>
  api("GET", `${base}/local-runtime`, { signal });

/** What people call a connection: its name, or the host of its address. */
export function nameOf(connection: Pick<ConnectionView, "name" | "base_url">): string {
  return connection.name || (URL.parse(connection.base_url)?.host ?? connection.base_url);
}
