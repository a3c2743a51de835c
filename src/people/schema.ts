import * as z from "zod";

export const role = z.enum(["pending", "user", "admin"]);

/** `admin` manages the people and groups of their organization, as long as their role is `user`. */
export const organizationRole = z.enum(["admin", "member"]);

/** Branches of leaves; true means allowed. */
export const permissionTree = z.record(z.string(), z.record(z.string(), z.boolean()));

// Half surrogate pairs and control characters: neither can be shown, and both break what they are put into.
const unprintable = /[\p{Cc}\p{Cs}]/u;

/** What a person is called: one line, not blank. */
export const personName = z
  .string()
  .trim()
  .min(1, "a name of at least one character")
  .max(200)
  .refine((text) => !unprintable.test(text), "a name without line breaks and control characters");

/** An id in a path; a malformed one is simply unknown. */
export const idParam = z.object({ id: z.string().min(1).max(200) });

/** Epoch seconds. */
export const time = z.number().int();
