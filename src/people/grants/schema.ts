import * as z from "zod";

/** Who may do what with a resource. `user` with the id `*` is everyone who is signed in. */
export const grant = z
  .object({
    principal_type: z.enum(["user", "group", "organization"]),
    principal_id: z.string().min(1).max(100),
    permission: z.enum(["read", "write"]),
  })
  .refine(
    (value) => value.principal_id !== "*" || value.principal_type === "user",
    "The id * is allowed for the principal type user only",
  );
export type GrantView = z.infer<typeof grant>;

export const grantList = z.array(grant).max(1000);

/** Open WebUI's older shape: null for everyone, `{}` for nobody else, or ids for reading and writing. */
const principals = z.object({
  group_ids: z.array(z.string()).max(500).default([]),
  user_ids: z.array(z.string()).max(500).default([]),
});
export const accessControl = z.object({ read: principals.optional(), write: principals.optional() }).nullable();
export type AccessControl = z.infer<typeof accessControl>;

/** What grants are for. */
export const resourceType = z.enum(["model", "tool", "tool_server", "knowledge", "prompt", "folder", "shared_chat"]);

/** A grant as it is answered: typed clients refuse one that lacks any of these. */
export const storedGrant = z.object({
  id: z.string(),
  resource_type: resourceType,
  resource_id: z.string(),
  ...grant.shape,
  created_at: z.int(),
});
export type StoredGrant = z.infer<typeof storedGrant>;
