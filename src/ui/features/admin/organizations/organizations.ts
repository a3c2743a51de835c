import type { MovedResult, Organization } from "../../../../people/organizations/schema.ts";
import { api } from "../../../lib/api.ts";
import type { FactorFilter, PeoplePage } from "../people/people.ts";

export type { Organization };
export type OrganizationChange = Partial<
  Pick<
    Organization,
    "name" | "active" | "model_ids" | "default_models" | "max_storage" | "retention" | "requires_second_factor"
  >
> & {
  /** Those that are left out stay as they are. */
  features?: Partial<Organization["features"]>;
};

const base = "/api/v1/organizations";
const one = (id: string): string => `${base}/${encodeURIComponent(id)}`;

/** All of them for administrators of the service; their own one for everyone else. */
export async function listOrganizations(signal?: AbortSignal): Promise<Organization[]> {
  return (await api<{ organizations: Organization[] }>("GET", base, { signal })).organizations;
}

export const getOrganization = (id: string, signal?: AbortSignal): Promise<Organization> =>
  api("GET", one(id), { signal });

export const createOrganization = (name: string): Promise<Organization> => api("POST", base, { body: { name } });

export const changeOrganization = (id: string, change: OrganizationChange): Promise<Organization> =>
  api("PATCH", one(id), { body: change });

export const deleteOrganization = (id: string): Promise<unknown> => api("DELETE", one(id));

/** A page of the people who belong to an organization, by name. @param cursor where the last page ended */
export function listMembers(
  id: string,
  { query, secondFactor }: { query: string; secondFactor: FactorFilter | undefined },
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<PeoplePage> {
  return api("GET", `${one(id)}/members`, {
    query: { query, second_factor: secondFactor, order_by: "name", direction: "asc", cursor, limit: 50 },
    signal,
  });
}

/** Makes this the home of these people: of all of them, or of nobody. */
export const movePeople = (id: string, userIds: string[]): Promise<MovedResult> =>
  api("POST", `${one(id)}/members`, { body: { user_ids: userIds } });
