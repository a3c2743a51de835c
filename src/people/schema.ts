import * as z from "zod";

export const role = z.enum(["pending", "user", "admin"]);

/** `service`: the account of a machine, which nobody can sign in to. */
export const accountKind = z.enum(["person", "service"]);

/** `admin` manages the people and groups of their organization while their role is `user`. */
export const organizationRole = z.enum(["admin", "member"]);

/** Branches of leaves; true means allowed. */
export const permissionTree = z.record(z.string(), z.record(z.string(), z.boolean()));

// Half surrogate pairs and control characters: neither can be shown, and both break what they are put into.
const unprintable = /[\p{Cc}\p{Cs}]/u;

/** A person's name: one line, not empty. */
export const personName = z
  .string()
  .trim()
  .min(1, "a name of at least one character")
  .max(200)
  .refine((text) => !unprintable.test(text), "a name without line breaks and control characters");

/** An id in a path; a malformed one is treated as unknown. */
export const idParam = z.object({ id: z.string().min(1).max(200) });

/** Epoch seconds. */
export const time = z.number().int();
