import * as z from "zod";
import { accountKind, organizationRole, permissionTree, personName, role, time } from "../schema.ts";

/** Who may share things with the group: everyone, its members, or only administrators. */
const share = z.union([z.boolean(), z.literal("members")]);
const data = z.object({ config: z.object({ share }) });

export const groupObject = z.object({
  id: z.string(),
  /** Who made it. */
  user_id: z.string().nullable(),
  /** A group of the default organization may have anyone as a member, one of another organization its people only. */
  organization_id: z.string(),
  /** Its id at the identity provider. */
  external_id: z.string().nullable(),
  name: z.string(),
  description: z.string(),
  data,
  meta: z.null(),
  permissions: permissionTree,
  member_count: z.number().int(),
  created_at: time,
  updated_at: time,
});
export type GroupObject = z.infer<typeof groupObject>;

export const exportedGroup = groupObject.extend({ user_ids: z.array(z.string()) });
export type ExportedGroup = z.infer<typeof exportedGroup>;

export const groupInfo = groupObject.pick({
  id: true,
  name: true,
  description: true,
  member_count: true,
  created_at: true,
  updated_at: true,
});
export type GroupInfo = z.infer<typeof groupInfo>;

export const groupFields = z.object({
  name: personName,
  description: z.string().max(2000).default(""),
  data: z
    .object({ config: z.object({ share: share.optional() }).optional() })
    .nullable()
    .optional(),
});

export const groupMember = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  kind: accountKind,
  role,
  active: z.boolean(),
  organization_id: z.string(),
  organization_role: organizationRole,
  profile_image_url: z.string(),
  is_active: z.boolean(),
});
export type GroupMember = z.infer<typeof groupMember>;

export const memberIds = z.object({ user_ids: z.array(z.string().max(200)).min(1).max(1000) });

export const groupQuery = z.object({ share: z.stringbool().optional() });
