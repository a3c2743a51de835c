import type { GrantView } from "../../../../people/grants/schema.ts";
import { toApiError } from "../../../lib/api-error.ts";
import { api } from "../../../lib/api.ts";

/** Someone a grant can be given to. */
export interface Principal {
  type: GrantView["principal_type"];
  id: string;
  name: string;
  /** E-mail of a person; tells people of the same name apart. */
  note?: string;
}

interface Named {
  id: string;
  name: string;
  email?: string;
  description?: string;
}

/**
 * People, groups and organizations whose name has the query in it, at most 20 of each.
 * @param several whether there are organizations to tell apart; the only one is not offered
 */
export async function findPrincipals(query: string, several: boolean, signal: AbortSignal): Promise<Principal[]> {
  const [people, groups, organizations] = await Promise.all([
    api<{ users: Named[] }>("GET", "/api/v1/users/search", { query: { query, limit: 20 }, signal }).then(
      (answer) => answer.users,
    ),
    listNamed("/api/v1/groups/", signal),
    several ? listNamed("/api/v1/organizations/", signal) : [],
  ]);
  const fits = (entry: Named): boolean => entry.name.toLowerCase().includes(query.toLowerCase());
  return [
    ...organizations.filter(fits).map((entry): Principal => ({ type: "organization", id: entry.id, name: entry.name })),
    ...groups.filter(fits).map((entry): Principal => ({ type: "group", id: entry.id, name: entry.name })),
    ...people.slice(0, 20).map((entry): Principal => ({
      type: "user",
      id: entry.id,
      name: entry.name,
      ...(entry.email ? { note: entry.email } : {}),
    })),
  ];
}

/** The names behind stored grants; the id stands for what is gone. */
export async function namePrincipals(grants: GrantView[], signal: AbortSignal): Promise<Principal[]> {
  const kinds = new Set(grants.map((grant) => grant.principal_type));
  const [groups, organizations] = await Promise.all([
    kinds.has("group") ? listNamed("/api/v1/groups/", signal) : [],
    kinds.has("organization") ? listNamed("/api/v1/organizations/", signal) : [],
  ]);
  return Promise.all(
    grants.map(async ({ principal_type: type, principal_id: id }): Promise<Principal> => {
      if (type !== "user")
        return {
          type,
          id,
          name: (type === "group" ? groups : organizations).find((entry) => entry.id === id)?.name ?? id,
        };
      const person = await api<Named>("GET", `/api/v1/users/${encodeURIComponent(id)}/info`, { signal }).catch(
        (cause: unknown) => {
          if (toApiError(cause).status === 404) return undefined;
          throw cause;
        },
      );
      return { type, id, name: person?.name ?? id, ...(person?.email ? { note: person.email } : {}) };
    }),
  );
}

/** A list of named things; none where the service has no such kind. */
async function listNamed(path: string, signal: AbortSignal): Promise<Named[]> {
  try {
    const answer = await api<Named[] | Record<string, unknown>>("GET", path, { signal });
    if (Array.isArray(answer)) return answer;
    return Object.values(answer).find((value): value is Named[] => Array.isArray(value)) ?? [];
  } catch (cause) {
    if (toApiError(cause).status === 404) return [];
    throw cause;
  }
}
