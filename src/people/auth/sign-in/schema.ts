import * as z from "zod";
import { permissionTree, personName, role, time } from "../../schema.ts";
import { userStatus } from "../../users/schema.ts";

/** Addresses and passwords are checked later, with their own error codes. */
export const credentials = z.object({ email: z.string().max(1000), password: z.string().max(10_000) });
export type Credentials = z.infer<typeof credentials>;

export const newAccount = z.object({
  name: personName,
  email: z.string().max(1000),
  password: z.string().max(10_000),
  /** An http(s) address or a data URL of a picture; `/user.png`, which clients of Open WebUI send, means none. */
  profile_image_url: z.string().max(500_000).default(""),
});
export type NewAccount = z.infer<typeof newAccount>;

/** The response to signing in; `expires_at` is null for a session that never expires. */
export const sessionResponse = z.object({
  token: z.string(),
  token_type: z.literal("Bearer"),
  expires_at: time.nullable(),
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role,
  organization_id: z.string(),
  organization_role: z.enum(["admin", "member"]),
  profile_image_url: z.string(),
  permissions: permissionTree,
  /** Only, and then true, for people who have to set up a second factor before anything else. */
  lacks_second_factor: z.literal(true).optional(),
});
export type SessionResponse = z.infer<typeof sessionResponse>;

/** Of signing in. `cookie_problem`: why the browser gets no cookie, or does not keep it. */
export const signInResponse = sessionResponse.extend({ cookie_problem: z.string().optional() });

/** The session with the person's profile. */
export const ownSession = sessionResponse.extend({
  bio: z.string().nullable(),
  gender: z.string().nullable(),
  date_of_birth: z.string().nullable(),
  timezone: z.string().nullable(),
  ...userStatus.shape,
});
export type OwnSession = z.infer<typeof ownSession>;

export const done = z.object({ status: z.literal(true) });

/** `redirect_url`: where the browser continues, so that the person is signed out at their identity provider too. */
export const signedOut = done.extend({ redirect_url: z.string().optional() });
