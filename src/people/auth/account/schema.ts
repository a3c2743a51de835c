import * as z from "zod";
import { personName, role } from "../../schema.ts";
import { newAccount } from "../sign-in/schema.ts";

export const addedAccount = newAccount.extend({ role: role.default("pending") });
export type AddedAccount = z.infer<typeof addedAccount>;

/** The new person, with a token of theirs, as the peer answers it. */
export const addedAccountResponse = z.object({
  token: z.string(),
  token_type: z.literal("Bearer"),
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  profile_image_url: z.string(),
});
export type AddedAccountResponse = z.infer<typeof addedAccountResponse>;

/** A day that exists, as ISO 8601 writes it; "" takes it away. */
const day = z.union([z.literal(""), z.iso.date()]);

/** What a person says of themselves; what is left out stays as it is, null or "" takes it away. */
export const profileChange = z.object({
  name: personName.optional(),
  profile_image_url: z.string().max(500_000).optional(),
  bio: z.string().max(4000).nullable().optional(),
  gender: z.string().max(200).nullable().optional(),
  date_of_birth: day.nullable().optional(),
});
export type ProfileChange = z.infer<typeof profileChange>;

export const profile = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  profile_image_url: z.string(),
  bio: z.string().nullable(),
  gender: z.string().nullable(),
  date_of_birth: z.string().nullable(),
});
export type Profile = z.infer<typeof profile>;

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export const timezoneChange = z.object({
  timezone: z.string().max(100).refine(isTimezone, "a time zone name, such as Europe/Berlin"),
});

export const passwordChange = z.object({ password: z.string().max(10_000), new_password: z.string().max(10_000) });
export type PasswordChange = z.infer<typeof passwordChange>;

export const contact = z.object({ name: z.string(), email: z.string() });
export type Contact = z.infer<typeof contact>;
