import * as z from "zod";
import { accountKind, organizationRole, personName, role, time } from "../schema.ts";

/** What a person is doing at the moment; all null without a status, and from its end on. */
export const userStatus = z.object({
  status_emoji: z.string().nullable(),
  status_message: z.string().nullable(),
  /** Epoch seconds; null: until it is changed. */
  status_expires_at: time.nullable(),
});
export type UserStatus = z.infer<typeof userStatus>;

export const ownStatus = userStatus.extend({ id: z.string(), name: z.string() });
export type OwnStatus = z.infer<typeof ownStatus>;

/** Missing fields stay; null and "" remove a value. */
export const statusChange = z.object({
  /** One emoji, or its shortcode as Open WebUI's page sends it. */
  status_emoji: z.string().trim().max(64).nullable().optional(),
  status_message: z.string().trim().max(140).nullable().optional(),
  status_expires_at: time.min(0).max(100_000_000_000).nullable().optional(),
});
export type StatusChange = z.infer<typeof statusChange>;

export const groupName = z.object({ id: z.string(), name: z.string() });

/** A person for administrators. Fields that are always null exist for Open WebUI's clients. */
export const userObject = z.object({
  id: z.string(),
  email: z.string(),
  username: z.null(),
  name: z.string(),
  kind: accountKind,
  role,
  /** Whether the account may be used at all. */
  active: z.boolean(),
  /** Whether they did something within the last three minutes. */
  is_active: z.boolean(),
  organization_id: z.string(),
  organization_role: organizationRole,
  profile_image_url: z.string(),
  profile_banner_image_url: z.null(),
  bio: z.string().nullable(),
  gender: z.string().nullable(),
  date_of_birth: z.string().nullable(),
  timezone: z.string().nullable(),
  presence_state: z.null(),
  ...userStatus.shape,
  oauth: z.record(z.string(), z.object({ sub: z.string() })).nullable(),
  scim: z.record(z.string(), z.object({ external_id: z.string() })).nullable(),
  /** Probes of a service account that count in no quota, in an hour. */
  free_probes: z.number().int(),
  last_active_at: time,
  updated_at: time,
  created_at: time,
});
export type UserObject = z.infer<typeof userObject>;

const storage = {
  /** What their files take. */
  storage_bytes: z.number().int(),
  file_count: z.number().int(),
};

/** Whether their password alone does not sign in. */
const hasSecondFactor = z.boolean();

export const listedUser = userObject.extend({
  ...storage,
  group_ids: z.array(z.string()),
  has_second_factor: hasSecondFactor,
});
export type ListedUser = z.infer<typeof listedUser>;

export const userDetails = userObject.extend({
  ...storage,
  groups: z.array(groupName),
  has_second_factor: hasSecondFactor,
  has_authenticator_app: z.boolean(),
  passkey_count: z.number().int(),
});
export type UserDetails = z.infer<typeof userDetails>;

export const userList = z.object({
  users: z.array(listedUser),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
});
export type UserList = z.infer<typeof userList>;

/** The public profile of a person. */
export const userInfo = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  kind: accountKind,
  role,
  active: z.boolean(),
  organization_id: z.string(),
  organization_role: organizationRole,
  profile_image_url: z.string(),
  bio: z.string().nullable(),
  groups: z.array(groupName),
  is_active: z.boolean(),
  ...userStatus.shape,
});
export type UserInfo = z.infer<typeof userInfo>;

export const userInfoList = z.object({ users: z.array(userInfo), total: z.number().int() });
export type UserInfoList = z.infer<typeof userInfoList>;

export const shortUser = userObject.pick({
  id: true,
  name: true,
  email: true,
  kind: true,
  role: true,
  active: true,
  is_active: true,
  organization_id: true,
  organization_role: true,
  profile_image_url: true,
});
export const shortUserList = z.object({ users: z.array(shortUser), total: z.number().int() });
export type ShortUserList = z.infer<typeof shortUserList>;

const limit = z.coerce.number().int().min(1).max(100);

export const listQuery = z.object({
  /** Part of a name or an address. */
  query: z.string().max(200).optional(),
  role: role.optional(),
  kind: accountKind.optional(),
  /** People with a second factor, or people without one. */
  second_factor: z.enum(["true", "false"]).optional(),
  order_by: z
    .enum(["name", "email", "role", "created_at", "updated_at", "last_active_at", "storage_bytes"])
    .default("created_at"),
  direction: z.enum(["asc", "desc"]).default("desc"),
  /** From 1 on; the cursor is the better way through a list that changes. */
  page: z.coerce.number().int().min(1).max(1_000_000).optional(),
  cursor: z.string().max(2000).optional(),
  limit: limit.default(30),
});
export type ListQuery = z.infer<typeof listQuery>;

export const searchQuery = z.object({ query: z.string().max(200).default(""), limit: limit.default(30) });
export type SearchQuery = z.infer<typeof searchQuery>;

/** Most probes of a service account that count in no quota, in an hour: one every ten seconds. */
export const maxFreeProbes = 360;

/**
 * An administrator's change of an account; missing fields stay. `is_active` is a synonym of `active`. An organization's
 * administrators cannot change e-mail or password, or create system administrators.
 */
export const userChange = z.object({
  role: role.optional(),
  name: personName.optional(),
  email: z.string().max(1000).optional(),
  profile_image_url: z.string().max(500_000).optional(),
  /** "" and null leave the password as it is: forms send them. */
  password: z.string().max(10_000).nullable().optional(),
  active: z.boolean().optional(),
  is_active: z.boolean().optional(),
  organization_role: organizationRole.optional(),
  /** Of service accounts, and for system administrators only. */
  free_probes: z.number().int().min(0).max(maxFreeProbes).optional(),
});
export type UserChange = z.infer<typeof userChange>;

/** Small documents of the client's own; keys are replaced one by one. */
export const document = z
  .record(z.string().regex(/^[A-Za-z0-9_.:-]{1,100}$/, "keys can have letters, digits and _ . : -"), z.unknown())
  .refine((value) => Object.keys(value).length <= 50, "at most 50 keys at once");
export type Document = z.infer<typeof document>;

const uiSettings = z.record(z.string(), z.unknown()).nullish();

/** Their settings: what the UI keeps is an object. */
export const settingsDocument = document.refine(({ ui }) => uiSettings.safeParse(ui).success, {
  path: ["ui"],
  message: "must be an object",
});

export const presence = z.object({ active: z.boolean() });
