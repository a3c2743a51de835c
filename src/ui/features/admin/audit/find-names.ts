import type { OrganizationList } from "../../../../people/organizations/schema.ts";
import { api } from "../../../lib/api.ts";
import type { NamedIds } from "./describe-detail.ts";

/** The names behind ids. What is gone, or not to be seen, has none; a failure means "no names". */
export async function findNames(
  { people, organizations }: NamedIds,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const [found, homes] = await Promise.all([
    Promise.all(people.map((id) => findPerson(id, signal))),
    organizations.length === 0 ? [] : listOrganizations(signal),
  ]);
  return new Map([...found.flat(), ...homes]);
}

async function findPerson(id: string, signal: AbortSignal): Promise<[string, string][]> {
  try {
    const { name } = await api<{ name: string }>("GET", `/api/v1/users/${encodeURIComponent(id)}/info`, { signal });
    return [[id, name]];
  } catch {
    return [];
  }
}

async function listOrganizations(signal: AbortSignal): Promise<[string, string][]> {
  try {
    const { organizations } = await api<OrganizationList>("GET", "/api/v1/organizations", { signal });
    return organizations.map(({ id, name }) => [id, name]);
  } catch {
    return [];
  }
}
