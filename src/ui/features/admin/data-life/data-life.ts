import type { Erasure, ErasurePlan } from "../../../../life/erasure/schema.ts";
import type { LegalHold, NewLegalHold } from "../../../../people/holds/schema.ts";
import { api } from "../../../lib/api.ts";

export type { Erasure, ErasurePlan, LegalHold };

const ofPerson = (id: string, what: string): string => `/api/v1/users/${encodeURIComponent(id)}/${what}`;

export const copyPath = (id: string): string => ofPerson(id, "data-copy");

/** Counting goes through everything that the person has. */
export const planErasure = (id: string, signal?: AbortSignal): Promise<ErasurePlan> =>
  api("GET", ofPerson(id, "erasure"), { signal, timeout: 120_000 });

export const startErasure = (id: string, successor: string): Promise<Erasure> =>
  api("POST", ofPerson(id, "erasure"), { body: successor === "" ? {} : { successor_id: successor } });

export const getErasure = (id: string, signal?: AbortSignal): Promise<Erasure> =>
  api("GET", `/api/v1/erasures/${encodeURIComponent(id)}`, { signal });

export async function listErasures(signal?: AbortSignal): Promise<Erasure[]> {
  return (await api<{ erasures: Erasure[] }>("GET", "/api/v1/erasures", { signal })).erasures;
}

export async function listHolds(signal?: AbortSignal): Promise<LegalHold[]> {
  return (await api<{ holds: LegalHold[] }>("GET", "/api/v1/legal-holds", { signal })).holds;
}

export const placeHold = (hold: NewLegalHold): Promise<LegalHold> => api("POST", "/api/v1/legal-holds", { body: hold });

export const liftHold = (id: string): Promise<unknown> =>
  api("DELETE", `/api/v1/legal-holds/${encodeURIComponent(id)}`);
