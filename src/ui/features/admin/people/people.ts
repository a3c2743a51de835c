import type { ListedUser, UserChange, UserDetails, UserList, UserObject } from "../../../../people/users/schema.ts";
import { api } from "../../../lib/api.ts";

/** A person as administrators see one. */
export type PersonRow = ListedUser;
export type PeoplePage = UserList;
export type Role = PersonRow["role"];

export type PeopleOrder = "created_at" | "name" | "last_active_at" | "storage_bytes";

/** People with a second factor, or people without one. */
export type FactorFilter = "true" | "false";

export const factorFilterOf = (value: string | null): FactorFilter | undefined =>
  value === "true" || value === "false" ? value : undefined;

/** One page of people. @param cursor where the last page ended */
export function listPeople(
  search: {
    query: string;
    role: Role | undefined;
    kind?: PersonRow["kind"] | undefined;
    secondFactor?: FactorFilter | undefined;
    order: PeopleOrder;
  },
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<PeoplePage> {
  const { query, role, kind, secondFactor, order } = search;
  const direction = order === "name" ? "asc" : "desc";
  return api("GET", "/api/v1/users/", {
    query: { query, role, kind, second_factor: secondFactor, order_by: order, direction, cursor, limit: 50 },
    signal,
  });
}

/** Answers with the person as changed. */
export function changePerson(id: string, change: UserChange): Promise<UserObject> {
  return api("POST", `/api/v1/users/${encodeURIComponent(id)}/update`, { body: change });
}

export function getPerson(id: string, signal?: AbortSignal): Promise<UserDetails> {
  return api("GET", `/api/v1/users/${encodeURIComponent(id)}`, { signal });
}

export function deletePerson(id: string): Promise<unknown> {
  return api("DELETE", `/api/v1/users/${encodeURIComponent(id)}`);
}

/** For somebody who has lost it. */
export function resetSecondFactor(id: string): Promise<unknown> {
  return api("DELETE", `/api/v1/users/${encodeURIComponent(id)}/second_factor`);
}

export function addPerson(person: { name: string; email: string; role: Role; password: string }): Promise<unknown> {
  return api("POST", "/api/v1/auths/add", { body: person });
}

async function countRole(role: Role | undefined): Promise<number> {
  return (await api<PeoplePage>("GET", "/api/v1/users/", { query: { role, limit: 1 } })).total;
}

/** How many people there are, wait, and administrate. */
export async function countPeople(): Promise<{ all: number; waiting: number; admins: number }> {
  const [all, waiting, admins] = await Promise.all([countRole(undefined), countRole("pending"), countRole("admin")]);
  return { all, waiting, admins };
}
