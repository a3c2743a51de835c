import type { ResetLink } from "../../../../../people/auth/password-reset/schema.ts";
import type {
  Invitation,
  MadeInvitation,
  ManyInvitations,
  NewInvitation,
  NewInvitations,
} from "../../../../../people/invitations/schema.ts";
import { api } from "../../../../lib/api.ts";

export type { Invitation, MadeInvitation, ResetLink };

export async function listInvitations(signal?: AbortSignal): Promise<Invitation[]> {
  return (await api<{ invitations: Invitation[] }>("GET", "/api/v1/invitations", { signal })).invitations;
}

export const invite = (input: NewInvitation): Promise<MadeInvitation> =>
  api("POST", "/api/v1/invitations", { body: input });

export const inviteMany = (input: NewInvitations): Promise<ManyInvitations> =>
  api("POST", "/api/v1/invitations/many", { body: input, timeout: 60_000 });

export const takeBack = (id: string): Promise<Invitation> =>
  api("DELETE", `/api/v1/invitations/${encodeURIComponent(id)}`);

export const makeResetLink = (userId: string): Promise<ResetLink> =>
  api("POST", `/api/v1/users/${encodeURIComponent(userId)}/reset_link`);
