import type { MemberPage, MemberRole } from "../../../../channels/members/schema.ts";
import type { BrowsePage, ChannelView } from "../../../../channels/schema.ts";
import type { GroupObject } from "../../../../people/groups/schema.ts";
import type { UserInfoList } from "../../../../people/users/schema.ts";
import { api } from "../../../lib/api.ts";

const channels = "/api/v1/channels";
const one = (id: string): string => `${channels}/${encodeURIComponent(id)}`;
/** As many people as the service finds at once. */
const mostFound = 100;

export interface ChannelDraft {
  name: string;
  description: string;
  is_private: boolean;
}

export const peopleApi = {
  create: (draft: ChannelDraft) => api<ChannelView>("POST", `${channels}/create`, { body: draft }),
  write: (userIds: string[]) =>
    api<ChannelView>("POST", `${channels}/create`, { body: { type: "dm", user_ids: userIds } }),
  browse: (query: string, cursor: string | undefined, signal?: AbortSignal) =>
    api<BrowsePage>("GET", `${channels}/browse`, { query: { query, cursor }, signal }),
  change: (id: string, draft: Partial<ChannelDraft>) => api<ChannelView>("POST", `${one(id)}/update`, { body: draft }),
  remove: (id: string) => api<true>("DELETE", `${one(id)}/delete`),
  leave: (id: string) => api<true>("POST", `${one(id)}/leave`),
  hide: (id: string) => api<true>("POST", `${one(id)}/members/active`, { body: { is_active: false } }),
  members: (id: string, query: string, limit: number, signal?: AbortSignal) =>
    api<MemberPage>("GET", `${one(id)}/members`, { query: { query, limit, order_by: "role" }, signal }),
  add: (id: string, named: { user_ids?: string[]; group_ids?: string[] }) =>
    api<ChannelView>("POST", `${one(id)}/update/members/add`, { body: named }),
  takeOut: (id: string, userId: string) =>
    api<true>("POST", `${one(id)}/update/members/remove`, { body: { user_ids: [userId] } }),
  setRole: (id: string, userId: string, role: MemberRole) =>
    api<true>("POST", `${one(id)}/members/${encodeURIComponent(userId)}/role`, { body: { role } }),
  /** Groups that can be brought along. */
  groups: (signal?: AbortSignal) => api<GroupObject[]>("GET", "/api/v1/groups/", { query: { share: true }, signal }),
  /** People of an organization who can sign in, but one, by name. */
  async find(query: string, organizationId: string | undefined, not: string | undefined, signal?: AbortSignal) {
    const page = await api<UserInfoList>("GET", "/api/v1/users/search", {
      query: { query, limit: mostFound },
      signal,
    });
    const users = page.users.filter(
      (person) =>
        person.id !== not && person.organization_id === organizationId && person.active && person.role !== "pending",
    );
    return { users, total: page.total - (page.users.length - users.length), next_cursor: null };
  },
};
