import * as z from "zod";
import { maxInvited } from "../../shared/max-invited.ts";
import { personName, time } from "../schema.ts";
import { groupName } from "../users/schema.ts";

/** Longest time that an invitation can be used, in days. */
export const maxInvitationDays = 30;

const invitedRole = z.enum(["user", "admin"]);

export const newInvitation = z.object({
  /** Only this address may use the link; "" for any. */
  email: z.string().max(1000).default(""),
  role: invitedRole.default("user"),
  /** Left out or null: the landing rules decide. Organization administrators invite into their own. */
  organization_id: z.string().min(1).max(200).nullish(),
  group_ids: z.array(z.string().min(1).max(200)).max(100).default([]),
  /** Days until the link ends. */
  days: z.number().int().min(1).max(maxInvitationDays).default(7),
  /** Send the link to the address by e-mail. */
  send: z.boolean().default(false),
});
export type NewInvitation = z.infer<typeof newInvitation>;

export const newInvitations = newInvitation
  .omit({ email: true })
  .extend({ emails: z.array(z.string().trim().min(1).max(1000)).min(1).max(maxInvited) });
export type NewInvitations = z.infer<typeof newInvitations>;

/** `void`: what it needs is not there any more, such as a group, or the right of the person who invited. */
export const invitationStates = ["open", "void", "used", "expired", "revoked"] as const;

export const invitation = z.object({
  id: z.string(),
  state: z.enum(invitationStates),
  email: z.string().nullable(),
  role: invitedRole,
  organization_id: z.string().nullable(),
  groups: z.array(groupName),
  invited_by: z.object({ id: z.string(), name: z.string() }),
  created_at: time,
  expires_at: time,
  used_at: time.nullable(),
  /** Null also once the account is gone. */
  used_by: z.object({ id: z.string(), name: z.string() }).nullable(),
});
export type Invitation = z.infer<typeof invitation>;

export const invitationList = z.object({ invitations: z.array(invitation) });

/** The link is in this answer only. */
export const madeInvitation = z.object({ invitation, link: z.string(), is_sent: z.boolean() });
export type MadeInvitation = z.infer<typeof madeInvitation>;

export const manyInvitations = z.object({
  made: z.array(madeInvitation),
  /** Addresses without an invitation, and why. */
  refused: z.array(z.object({ email: z.string(), code: z.string(), message: z.string() })),
});
export type ManyInvitations = z.infer<typeof manyInvitations>;

const token = z.string().min(1).max(200);

export const presentedInvitation = z.object({ token });

/** What somebody with the link is told before they use it. */
export const offeredInvitation = z.object({
  /** The address that the account has to have; null for any. */
  email: z.string().nullable(),
  invited_by: z.string(),
  /** Null where the landing rules decide, or nothing mentions organizations. */
  organization: z.string().nullable(),
  expires_at: time,
});
export type OfferedInvitation = z.infer<typeof offeredInvitation>;

export const acceptedInvitation = z.object({
  token,
  name: personName,
  email: z.string().max(1000),
  password: z.string().max(10_000),
});
export type AcceptedInvitation = z.infer<typeof acceptedInvitation>;
