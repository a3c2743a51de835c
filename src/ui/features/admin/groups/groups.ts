import type { ExportedGroup, GroupMember, GroupObject } from "../../../../people/groups/schema.ts";
import { api } from "../../../lib/api.ts";

export type Group = GroupObject;
export type Member = GroupMember;
/** Branches of leaves; true means allowed. */
export type PermissionTree = Group["permissions"];
/** Who may share things with a group: everyone, its members, or only administrators. */
export type Share = Group["data"]["config"]["share"];

interface GroupFields {
  name: string;
  description: string;
  permissions?: PermissionTree;
  data?: { config: { share: Share } };
}

const one = (id: string): string => `/api/v1/groups/id/${encodeURIComponent(id)}`;

/** All groups by name; for organization administrators those of their organization. */
export const listGroups = (signal?: AbortSignal): Promise<Group[]> => api("GET", "/api/v1/groups/", { signal });

export const getGroup = (id: string, signal?: AbortSignal): Promise<Group> => api("GET", one(id), { signal });

/** @param organizationId where it belongs; undefined leaves that to the service */
export const createGroup = (fields: GroupFields, organizationId: string | undefined): Promise<Group> =>
  api("POST", "/api/v1/groups/create", {
    body: { ...fields, ...(organizationId === undefined ? {} : { organization_id: organizationId }) },
  });

/** Replaces name and description; permissions and sharing only when they are named. */
export const changeGroup = (id: string, fields: GroupFields): Promise<Group> =>
  api("POST", `${one(id)}/update`, { body: fields });

export const deleteGroup = (id: string): Promise<unknown> => api("DELETE", `${one(id)}/delete`);

/** Everyone in it, by name. */
export const listMembers = (id: string, signal?: AbortSignal): Promise<Member[]> =>
  api("POST", `${one(id)}/users`, { signal });

export const addMembers = (id: string, userIds: string[]): Promise<ExportedGroup> =>
  api("POST", `${one(id)}/users/add`, { body: { user_ids: userIds } });

export const removeMembers = (id: string, userIds: string[]): Promise<ExportedGroup> =>
  api("POST", `${one(id)}/users/remove`, { body: { user_ids: userIds } });

/** What everyone may do without a group: the whole tree. */
export const getDefaults = (signal?: AbortSignal): Promise<PermissionTree> =>
  api("GET", "/api/v1/users/default/permissions", { signal });

/** Replaces the whole tree. */
export const setDefaults = (tree: PermissionTree): Promise<PermissionTree> =>
  api("POST", "/api/v1/users/default/permissions", { body: tree });
