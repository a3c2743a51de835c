import type { ChannelView } from "../../../../channels/schema.ts";
import { peopleApi } from "../people/people-api.ts";

export interface FoundPerson {
  id: string;
  name: string;
  email: string;
  isMember: boolean;
}

/** People of each kind at most. */
const maxFound = 8;

/** People who would read that they are named: members, and of a public channel everybody else at home there. */
export async function findPeople(
  channel: Pick<ChannelView, "id" | "type">,
  query: string,
  organizationId: string | undefined,
  signal: AbortSignal,
): Promise<FoundPerson[]> {
  const isPublic = channel.type === null;
  const [members, others] = await Promise.all([
    peopleApi.members(channel.id, query, maxFound, signal),
    // Without a word it would be anybody.
    isPublic && query !== "" ? peopleApi.find(query, organizationId, undefined, signal) : undefined,
  ]);
  const inside = members.users.map(({ id, name, email }) => ({ id, name, email, isMember: true }));
  const known = new Set(inside.map(({ id }) => id));
  const outside = (others?.users ?? [])
    .filter(({ id }) => !known.has(id))
    .map(({ id, name, email }) => ({ id, name, email, isMember: false }));
  return [...inside, ...outside.slice(0, maxFound)];
}
